#!/usr/bin/env python3
"""Draws a result of `atoll som`.

Without --map: the measures against the number of neurons, with the spread over the replicates and the suggestion.
With --map: one map. Its codebook over the data, the distances between neighbours (U-matrix), the hits and the component
planes; hexagons where the map is hexagonal. A result of a single size is drawn as that map.
"""

import argparse
import os
import sys
import textwrap

try:
    import h5py  # noqa: F401  (asked for here, so that the message below names it)
    import matplotlib
    import numpy

    matplotlib.use("Agg")
    from matplotlib import pyplot
    from matplotlib.collections import LineCollection, PolyCollection
    from matplotlib.ticker import FuncFormatter, MaxNLocator
except ImportError as error:
    sys.exit(f"plot_som.py needs h5py and matplotlib ({error}); on Debian: apt install python3-h5py python3-matplotlib "
             "and run with /usr/bin/python3")

from som_result import EXIT_CANNOT_WRITE, EXIT_USAGE, Result, fail, neighbors, read_points, u_matrix

BEST, MAP, MUTED = "#c0392b", "#2c6fad", "#8a8f98"
COLORS = ["#2c6fad", "#d98c1f", "#3a8f5c", "#8e5aa8", "#b5485d", "#5b6f7f", "#a3842b", "#2b9aa3"]
MOST_GROUPS = len(COLORS)
MOST_PLANES = 9
STYLE = {
    "font.size": 10, "axes.titlesize": 11, "axes.titleweight": "bold", "axes.titlelocation": "left",
    "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "grid.color": "#e3e5e8",
    "grid.linewidth": 0.7, "axes.axisbelow": True, "axes.edgecolor": "#6b7078", "legend.frameon": False,
    "legend.fontsize": 9, "figure.facecolor": "white", "axes.formatter.useoffset": False,
}
PANELS = (  # measure, title, the criterion that reads it
    ("quantization_error", "Quantization error", "elbow"),
    ("topographic_error", "Topographic error", "topographic"),
    ("explained_variance", "Explained variance", "variance"),
    ("davies_bouldin", "Davies-Bouldin index", "davies_bouldin"),
    ("simplified_silhouette", "Simplified silhouette", None),
    ("kaski_lagus_error", "Kaski-Lagus error", None),
)


# ---- measures against neurons

def groups_of(result):
    """(label, indices of /runs sorted by neurons) a (topology, sigma, eta, epochs), in the order of the suggestions.

    A sigma that follows the size differs from size to size, so the settings are told apart by their place in the sweep.
    """
    names = ("topology", "sigma", "eta", "epochs")
    settings = {name: result.summary(name) for name in names}
    topology = settings["topology"]
    replicates = int(result.summary("replicates")[0])
    groups = []
    for kind in dict.fromkeys(topology):
        rows = numpy.flatnonzero(topology == kind)
        suggestions = int(numpy.sum(result.suggestion("topology") == kind))
        for g in range(suggestions):
            mine = rows[g::suggestions]
            label = [str(kind)]
            for name, sign in (("sigma", "σ"), ("eta", "η"), ("epochs", "epochs")):
                values = settings[name]
                if len(set(values[rows[::suggestions]])) > 1 and name == "sigma":
                    continue  # follows the size
                if len(set(values)) > 1:
                    label.append(f"{sign} {values[mine[0]]:g}")
            order = mine[numpy.argsort(result.summary("neurons")[mine], kind="stable")]
            groups.append((", ".join(label), order, replicates))
    return groups


def draw_measure(axes, result, groups, measure, title, criterion):
    values = result.runs(measure)
    neurons = result.summary("neurons")
    for g, (label, settings, replicates) in enumerate(groups[:MOST_GROUPS]):
        of_setting = numpy.stack([values[s * replicates:(s + 1) * replicates] for s in settings])
        usable = numpy.isfinite(of_setting).any(axis=1)
        if not usable.any():
            continue
        n, shown = neurons[settings][usable], of_setting[usable]
        if replicates > 1:
            axes.fill_between(n, numpy.nanmin(shown, axis=1), numpy.nanmax(shown, axis=1), color=COLORS[g], alpha=0.22,
                              linewidth=0)
        axes.plot(n, numpy.nanmean(shown, axis=1), color=COLORS[g], linewidth=1.6, label=label,
                  marker="o" if len(n) < 30 else None, markersize=3.5)
        if criterion:
            choice = result.suggestion(criterion)[g]
            at = numpy.flatnonzero(n == choice)
            if at.size:
                axes.plot(n[at[0]], numpy.nanmean(shown[at[0]]), marker="v", markersize=9, color=COLORS[g],
                          markeredgecolor="white", zorder=4)
        axes.axvline(result.suggestion("neurons")[g], color=BEST if len(groups) == 1 else COLORS[g], linewidth=1.1,
                     linestyle="--", zorder=1)
    axes.set_title(title)
    axes.set_xlabel("neurons")
    if neurons.max() / max(neurons.min(), 1) > 8:
        axes.set_xscale("log", base=2)
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    else:
        axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))


def draw_measures(result):
    if not result.finished:
        fail(EXIT_USAGE, f"{result.path} is unfinished; its measures can be drawn when the sweep is, a map with --map")
    groups = groups_of(result)
    figure, axes = pyplot.subplots(2, 3, figsize=(14, 8.6), constrained_layout=True)
    for place, (measure, title, criterion) in zip(axes.flat, PANELS):
        draw_measure(place, result, groups, measure, title, criterion)
    if len(groups) > 1:
        axes.flat[0].legend(loc="best")
    lines = []
    for g in range(min(len(groups), 3)):
        label = f" ({groups[g][0]})" if len(groups) > 1 else ""
        neurons, rows, columns = (int(result.suggestion(name)[g]) for name in ("neurons", "rows", "columns"))
        size = f"{neurons} neurons" if rows == 1 else f"{rows} x {columns} = {neurons} neurons"
        lines += textwrap.wrap(f"suggested{label}: {size}; "
                               + str(result.suggestion("reason")[g]), 190)
    if len(groups) > 3:
        lines.append(f"and {len(groups) - 3} more groups; `atoll show` prints them all")
    replicates = groups[0][2]
    lines.append("dashed: the suggestion; triangle: what that measure alone would choose"
                 + (f"; band: least to largest of {replicates} replicates" if replicates > 1 else ""))
    headline(figure, f"{os.path.basename(result.path)}: {len(result.file['runs/state']):,} maps", lines)
    return figure


def headline(figure, title, lines):
    height = figure.get_size_inches()[1]
    figure.text(0.012, 1 - 0.2 / height, title, fontsize=14, fontweight="bold", va="top")
    figure.text(0.012, 1 - 0.54 / height, "\n".join(lines), fontsize=10, color="#555b63", va="top", linespacing=1.35)
    figure.get_layout_engine().set(rect=(0, 0, 1, 1 - (0.66 + 0.2 * len(lines)) / height), h_pad=0.12, w_pad=0.12)


# ---- one map

def cells(map_):
    """One polygon a neuron: squares, or hexagons with odd rows half a place to the right; row 0 at the top."""
    rows, columns = numpy.divmod(numpy.arange(map_.neurons), map_.columns)
    if map_.topology.startswith("hexagonal"):
        angle = numpy.pi / 6 + numpy.arange(6) * numpy.pi / 3
        shape = numpy.stack([numpy.cos(angle), numpy.sin(angle)], axis=1) / numpy.sqrt(3)
        centers = numpy.stack([columns + 0.5 * (rows % 2), rows * numpy.sqrt(0.75)], axis=1)
    else:
        shape = numpy.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
        centers = numpy.stack([columns, rows], axis=1)
    return centers[:, None, :] + shape, centers


def draw_plane(figure, axes, map_, values, title, cmap="viridis", numbers=False):
    axes.set_title(title)
    if not map_.grid:
        draw_profile(axes, map_, values)
        return
    polygons, centers = cells(map_)
    plane = PolyCollection(polygons, array=numpy.asarray(values, float), cmap=cmap, edgecolors="white", linewidths=0.4)
    axes.add_collection(plane)
    if numbers and map_.neurons <= 200:
        limit = numpy.max(values) / 2
        for (x, y), value in zip(centers, values):
            axes.text(x, y, f"{int(value)}", ha="center", va="center", fontsize=8 if map_.neurons <= 100 else 6,
                      color="white" if value > limit else "#333333")
    axes.set_xlim(polygons[..., 0].min() - 0.1, polygons[..., 0].max() + 0.1)
    axes.set_ylim(polygons[..., 1].max() + 0.1, polygons[..., 1].min() - 0.1)
    axes.set_aspect("equal")
    axes.axis("off")
    beside = axes.inset_axes([1.03, 0, 0.045, 1])  # as high as the plane, whatever its shape
    figure.colorbar(plane, cax=beside).outline.set_visible(False)
    beside.grid(visible=False)
    beside.tick_params(labelsize=8)


def draw_profile(axes, map_, values):
    """Along a line or ring; a ring's first neuron is drawn once more behind its last."""
    n = numpy.arange(map_.neurons)
    values = numpy.asarray(values, float)
    if map_.topology == "ring" and map_.neurons > 1:
        n, values = numpy.append(n, map_.neurons), numpy.append(values, values[0])
    axes.fill_between(n, numpy.minimum(values.min(), 0) if values.min() < 0 else 0, values, color=MAP, alpha=0.12,
                      linewidth=0)
    axes.plot(n, values, color=MAP, linewidth=1.5, marker="o" if map_.neurons <= 60 else None, markersize=3.5)
    axes.set_xlabel(f"neuron of the {map_.topology}")
    axes.xaxis.set_major_locator(MaxNLocator(7, integer=True))


def projected(map_, points, result):
    """Two coordinates of points and weights: the columns themselves, or the first two principal components."""
    offset, scale = result.file["data/offset"][()], result.file["data/scale"][()]
    names, weights = map_.names, map_.weights
    if len(names) == 1:
        return (None if points is None else numpy.c_[points[:, 0], numpy.zeros(len(points))],
                numpy.c_[weights[:, 0], numpy.zeros(len(weights))], (names[0], ""))
    if len(names) == 2:
        return points, weights, (names[0], names[1])
    basis = map_.scaled if points is None else (points - offset) / scale
    basis = basis[numpy.isfinite(basis).all(axis=1)]
    center = basis.mean(axis=0)
    _, strength, directions = numpy.linalg.svd(basis - center, full_matrices=False)
    share = strength**2 / max((strength**2).sum(), 1e-300)
    axis_names = tuple(f"principal component {i + 1} ({100 * share[i]:.0f} %)" for i in range(2))
    known = None if points is None else ((points - offset) / scale - center) @ directions[:2].T
    return known, (map_.scaled - center) @ directions[:2].T, axis_names


def draw_codebook(axes, map_, points, result):
    known, weights, names = projected(map_, points, result)
    if known is not None:
        many = len(known) > 3000
        axes.scatter(known[:, 0], known[:, 1], s=4 if many else 9, color=MUTED, alpha=0.25 if many else 0.45,
                     linewidths=0, rasterized=many, label="points")
    lines = [weights[[i, j]] for (i, j), wraps in neighbors(map_).items() if not wraps or map_.topology == "ring"]
    axes.add_collection(LineCollection(lines, colors=MAP, linewidths=1.1, alpha=0.85))
    size = numpy.full(len(weights), 22.0)
    if map_.hits is not None and map_.hits.max() > 0:
        size = 10 + 70 * map_.hits / map_.hits.max()
    axes.scatter(weights[:, 0], weights[:, 1], s=size, color=BEST, edgecolors="white", linewidths=0.6, zorder=3,
                 label="neurons, larger with more hits")
    axes.set_xlabel(names[0])
    axes.set_ylabel(names[1])
    axes.set_title("Codebook over the data" if known is not None else "Codebook (the data file is not here)")
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1.06), ncols=2, borderpad=0)
    axes.margins(0.05)


def draw_map(result, index, points):
    map_ = result.map(index)
    planes = min(len(map_.names), MOST_PLANES)
    panels = 2 + planes
    columns = 3 if panels <= 9 else 4
    rows = -(-panels // columns)
    width = 15 if columns == 3 else 17
    figure = pyplot.figure(figsize=(width, max(6.2, 2.75 * rows + 1)), constrained_layout=True)
    halves = figure.add_gridspec(1, 2, width_ratios=[1.0, 1.5 if columns == 3 else 2.0])
    draw_codebook(figure.add_subplot(halves[0]), map_, points, result)
    grid = halves[1].subgridspec(rows, columns)
    places = iter([figure.add_subplot(grid[i // columns, i % columns]) for i in range(panels)])
    draw_plane(figure, next(places), map_, u_matrix(map_), "U-matrix" if map_.grid else "Distance to neighbours", "magma_r")
    if map_.hits is not None:
        draw_plane(figure, next(places), map_, map_.hits, "Hits", "Blues", numbers=True)
    for component in range(planes):
        draw_plane(figure, next(places), map_, map_.weights[:, component], map_.names[component])
    for left in places:
        left.axis("off")
    settings = map_.settings
    lines = [f"quantization error {settings['quantization_error']:.6g}, topographic error "
             f"{settings['topographic_error']:.4g}, explained variance {settings['explained_variance']:.4g}"]
    if len(map_.names) > planes:
        lines.append(f"the first {planes} of {len(map_.names)} component planes")
    headline(figure, f"{os.path.basename(result.path)}, {map_.title()}", lines)
    return figure


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("result", help="the HDF5 file that `atoll som` wrote")
    parser.add_argument("--map", metavar="INDEX", help="draw one map: its row of /runs from 0, or \"suggested\"")
    parser.add_argument("--data", help="the points, where the file that the sweep names is not here")
    parser.add_argument("-o", "--output", help="the figure: .png, .pdf or .svg (default: the result's name with .png, "
                                               "or NAME.map-INDEX.png)")
    parser.add_argument("--dpi", type=int, default=130, help="dots per inch of a .png (default %(default)s)")
    options = parser.parse_args()
    result = Result(options.result)
    stem = os.path.splitext(options.result)[0]
    one_size = result.finished and len(set(result.summary("neurons"))) == 1 and len(result.summary("neurons")) == 1
    with pyplot.rc_context(STYLE):
        if options.map is None and not one_size:
            figure, output = draw_measures(result), f"{stem}.png"
        else:
            if options.map in (None, "suggested"):
                index = result.suggested_map()
            elif options.map.isdigit():
                index = int(options.map)
            else:
                fail(EXIT_USAGE, f"--map {options.map}: write a row of /runs from 0, or \"suggested\"")
            figure, output = draw_map(result, index, read_points(result, options.data)), f"{stem}.map-{index}.png"
        output = options.output or output
        try:
            figure.savefig(output, dpi=options.dpi)
        except (OSError, ValueError) as error:
            fail(EXIT_CANNOT_WRITE, f"cannot write {output}: {error}")
    print(output)


if __name__ == "__main__":
    main()
