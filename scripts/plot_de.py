#!/usr/bin/env python3
"""Draws a result of `atoll de` as one figure.

Convergence of every island, the spread of the population, where the islands ended within the bounds, and, where the
problem has data, the fit and its residuals.
"""

import argparse
import os
import sys

EXIT_BAD_DATA, EXIT_MISSING, EXIT_CANNOT_WRITE = 65, 66, 74

try:
    import h5py
    import matplotlib
    import numpy

    matplotlib.use("Agg")
    from matplotlib import pyplot
    from matplotlib.ticker import EngFormatter, MaxNLocator
except ImportError as error:
    sys.exit(f"plot_de.py needs h5py and matplotlib ({error}); on Debian: apt install python3-h5py python3-matplotlib "
             "and run with /usr/bin/python3")

BEST, ISLAND, MUTED, ALARM = "#c0392b", "#2c6fad", "#8a8f98", "#d98c1f"
MOST_LINES = 24  # islands drawn one by one; above that as bands
MOST_NAMES = 30  # parameter names along the axis
FEWEST_ROWS = 8  # of the history, for heights above the best: the last row always has height 0
STYLE = {
    "font.size": 10, "axes.titlesize": 11, "axes.titleweight": "bold", "axes.titlelocation": "left",
    "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "grid.color": "#e3e5e8",
    "grid.linewidth": 0.7, "axes.axisbelow": True, "axes.edgecolor": "#6b7078", "legend.frameon": False,
    "legend.fontsize": 9, "figure.facecolor": "white", "axes.formatter.useoffset": False,
}


def fail(code, message):
    print(f"plot_de.py: {message}", file=sys.stderr)
    raise SystemExit(code)


def texts(values):
    return [value.decode() if isinstance(value, bytes) else str(value) for value in values]


def read(path):
    """All that the figure needs, as a dictionary by HDF5 path."""
    if not os.path.exists(path):
        fail(EXIT_MISSING, f"{path}: no such file")
    try:
        with h5py.File(path, "r") as file:
            if file.attrs.get("format") != "atoll-de":
                fail(EXIT_BAD_DATA, f"{path}: not a result of `atoll de` (format: {file.attrs.get('format', 'none')})")
            result = {"attributes": dict(file.attrs), "fit_attributes": {}}
            for group in ("history", "parameters", "fit"):
                for name, dataset in file.get(group, {}).items():
                    result[f"{group}/{name}"] = dataset[()]
            for name in ("x", "fun", "islands/x", "islands/fun"):
                result[name] = file[name][()]
            if "fit" in file:
                result["fit_attributes"] = dict(file["fit"].attrs)
            return result
    except (OSError, KeyError) as error:
        fail(EXIT_BAD_DATA, f"{path}: not a readable result of `atoll de`: {error}")


def target_name(result):
    """The fitted column's name, from the configuration that the file carries."""
    try:
        import tomllib

        return tomllib.loads(str(result["attributes"]["config"]))["problem"].get("target", "data")
    except (ImportError, KeyError, ValueError):
        return "data"


def scaled_energies(energies):
    """Energies as drawn: (values, name of the axis, "log" or "linear").

    Where the best is not above 0, or where most islands end close to it so that a logarithm of the energy would show
    one flat line, the height above the best is drawn instead.
    """
    finite = energies[numpy.isfinite(energies)]
    if finite.size == 0:
        return energies, "energy", "linear"
    best = finite.min()
    last = energies[-1][numpy.isfinite(energies[-1])]
    flat = last.size > 0 and numpy.quantile(last, 0.75) < 1.5 * best and len(energies) >= FEWEST_ROWS
    if best > 0 and not flat:
        return energies, "energy", "log"
    height = energies - best
    if (height > 0).any():
        return height, f"energy above the best ({best:.6g})", "log"
    return energies, "energy", "linear"


def evaluations_axis(axes, evaluations):
    axes.set_xlabel("evaluations, all islands")
    axes.xaxis.set_major_formatter(EngFormatter(sep=""))
    axes.xaxis.set_major_locator(MaxNLocator(6))
    if len(evaluations) > 1 and evaluations[-1] > evaluations[0]:
        axes.set_xlim(0, evaluations[-1])


def draw_convergence(axes, result):
    evaluations = result["history/evaluations"]
    energies = numpy.where(numpy.isfinite(result["history/island_best"]), result["history/island_best"], numpy.nan)
    values, label, scale = scaled_energies(energies)
    islands = values.shape[1]
    marker = "o" if len(evaluations) < 3 else None
    with numpy.errstate(all="ignore"):
        usable = numpy.isfinite(values).any(axis=1)
        at, shown = evaluations[usable], values[usable]
        if 1 < islands <= MOST_LINES:
            lines = axes.plot(evaluations, values, color=ISLAND, linewidth=1.0, alpha=0.55, marker=marker, markersize=4)
            lines[0].set_label(f"each of {islands} islands")
        elif islands > 1 and usable.any():
            low, first, middle, third, high = numpy.nanpercentile(shown, [0, 25, 50, 75, 100], axis=1)
            axes.fill_between(at, low, high, color=ISLAND, alpha=0.15, linewidth=0, label=f"all {islands} islands")
            axes.fill_between(at, first, third, color=ISLAND, alpha=0.30, linewidth=0, label="middle half")
            axes.plot(at, middle, color=ISLAND, linewidth=1.3, label="median island")
        if usable.any():
            axes.plot(at, numpy.nanmin(shown, axis=1), color=BEST, linewidth=1.8, label="best", marker=marker,
                      markersize=4)
    axes.set_yscale(scale, **({"nonpositive": "clip"} if scale == "log" else {}))
    if scale == "log":  # who reached the best has height 0 and leaves through the bottom
        axes.set_ylim(bottom=0.5 * values[values > 0].min())
    axes.set_ylabel(label)
    axes.set_title("Convergence")
    if usable.any():
        axes.legend(loc="upper right")
    else:
        empty(axes, "no finite energy")
    evaluations_axis(axes, evaluations)


def draw_spread(axes, result):
    evaluations = result["history/evaluations"]
    spread = numpy.where(result["history/std"] > 0, result["history/std"], numpy.nan)
    height = result["history/mean"] - result["history/best"]
    height = numpy.where(numpy.isfinite(height) & (height > 0), height, numpy.nan)
    marker = "o" if len(evaluations) < 3 else None
    for values, color, name in ((spread, ISLAND, "standard deviation"), (height, ALARM, "mean above best")):
        values = numpy.where(numpy.isfinite(values), values, numpy.nan)
        if numpy.isfinite(values).any():
            axes.plot(evaluations, values, color=color, linewidth=1.6, label=name, marker=marker, markersize=4)
            axes.set_yscale("log")
    axes.set_ylabel("energy, over all members")
    axes.set_title("Spread of the population")
    if axes.lines:
        axes.legend(loc="upper right")
    else:
        empty(axes, "no finite spread")
    evaluations_axis(axes, evaluations)


def within_bounds(values, low, high, scales):
    """0 at the lower bound, 1 at the upper one; for a log scale in ln x."""
    logarithmic = numpy.array([scale == "log" for scale in scales])
    with numpy.errstate(all="ignore"):
        values = numpy.where(logarithmic, numpy.log(values), values)
        low = numpy.where(logarithmic, numpy.log(low), low)
        high = numpy.where(logarithmic, numpy.log(high), high)
        return (values - low) / (high - low)


def draw_parameters(axes, result):
    free = result["parameters/fixed"] == 0
    axes.set_title("Parameters within their bounds")
    if not free.any():
        empty(axes, "all parameters are fixed")
        axes.set_xticks([])
        return
    low, high = result["parameters/min"][free], result["parameters/max"][free]
    scales = [scale for scale, kept in zip(texts(result["parameters/scale"]), free) if kept]
    names = [name + (" (log)" if scale == "log" else "")
             for name, scale in zip([n for n, kept in zip(texts(result["parameters/name"]), free) if kept], scales)]
    order = numpy.argsort(result["islands/fun"], kind="stable")  # the best island first, NaN last
    islands = within_bounds(result["islands/x"][order][:, free], low, high, scales)
    best = within_bounds(result["x"][free], low, high, scales)
    places = numpy.arange(len(names))
    count = len(order)
    offset = numpy.linspace(-0.3, 0.3, count)[:, None] if count > 1 else numpy.zeros((1, 1))
    energies = numpy.broadcast_to(numpy.arange(count)[:, None], islands.shape)
    axes.scatter(places + offset, islands, c=energies, cmap="viridis", vmax=max(count * 1.1, 1), linewidths=0,
                 s=16 if count * len(names) < 1500 else 6, alpha=0.85)
    axes.hlines(best, places - 0.42, places + 0.42, color=BEST, linewidth=1.8, zorder=1.5)
    for bound in (0, 1):
        axes.axhline(bound, color=MUTED, linewidth=0.9, linestyle="--")
    step = -(-len(names) // MOST_NAMES)
    axes.set_xticks(places[::step], names[::step], rotation=45 if len(names) > 8 else 0,
                    ha="right" if len(names) > 8 else "center", fontsize=8 if len(names) > 14 else 9)
    middle, half = (len(names) - 1) / 2, max(len(names), 7) / 2 + 0.1
    axes.set_xlim(middle - half, middle + half)
    axes.set_ylim(-0.06, 1.06)
    axes.set_yticks([0, 0.25, 0.5, 0.75, 1], ["min", "", "middle", "", "max"])
    axes.grid(axis="x", visible=False)
    axes.set_xlabel("parameter (red: the result; dots: islands, the best at the left)" if count > 1 else
                    "parameter (red: the result; dot: the island's best member)")


def draw_fit(axes, result, target):
    predicted = result["fit/predicted"]
    measured = predicted + result["fit/residual"]  # the residual is data - model
    many = len(predicted) > 500
    both = numpy.concatenate([predicted, measured])
    both = both[numpy.isfinite(both)]
    if both.size:
        margin = 0.04 * (both.max() - both.min() or 1)
        ends = [both.min() - margin, both.max() + margin]
        axes.plot(ends, ends, color=MUTED, linewidth=1.1, linestyle="--", label="equal")
        axes.set_xlim(ends)
        axes.set_ylim(ends)
    axes.scatter(predicted, measured, s=8 if many else 24, color=ISLAND, alpha=0.35 if many else 0.8, linewidths=0,
                 rasterized=many)
    axes.set_aspect("equal", adjustable="box")
    axes.set_xlabel(f"model of {target}")
    axes.set_ylabel(f"{target} measured")
    axes.xaxis.set_major_locator(MaxNLocator(5))
    axes.yaxis.set_major_locator(MaxNLocator(5))
    attributes = result["fit_attributes"]
    notes = [f"{name} = {attributes[key]:.5g}" for key, name in (("r_squared", "R²"), ("rmse", "RMSE"))
             if key in attributes]
    axes.set_title("Fit")
    axes.text(0.04, 0.96, "\n".join(notes), transform=axes.transAxes, va="top", fontsize=9)


def draw_rows(axes, values, title, label, rmse=None):
    finite = numpy.isfinite(values)
    rows, values, many = numpy.arange(1, len(values) + 1)[finite], values[finite], len(values) > 500
    if rmse:
        axes.axhspan(-rmse, rmse, color=MUTED, alpha=0.18, linewidth=0, label="± RMSE")
    if not many:
        axes.vlines(rows, 0, values, color=ISLAND, linewidth=1.0, alpha=0.6)
    axes.scatter(rows, values, s=7 if many else 20, color=ISLAND, alpha=0.35 if many else 0.9, linewidths=0,
                 rasterized=many)
    axes.axhline(0, color="#6b7078", linewidth=0.9)
    axes.set_xlabel("row of the data")
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    axes.set_ylabel(label)
    axes.set_title(title)
    if rmse:
        axes.legend(loc="upper right")


def empty(axes, reason):
    axes.text(0.5, 0.5, reason, transform=axes.transAxes, ha="center", va="center", color=MUTED)
    axes.grid(visible=False)
    axes.set_yticks([])


def headline(path, result):
    attributes = result["attributes"]
    islands = len(result["islands/fun"])
    outcome = attributes.get("state", "") if attributes.get("success", 0) else "no success"
    return (f"{os.path.basename(path)}:  fun = {float(result['fun']):.10g}",
            f"{outcome}: {attributes.get('message', '')}  ·  {islands} island{'' if islands == 1 else 's'}, "
            f"{int(attributes.get('nfev', 0)):,} evaluations, seed {attributes.get('seed', '?')}")


def draw(path, result):
    fit, term = "fit/predicted" in result, "fit/term" in result
    bottom = {"parameters": 5, "fit": 4, "rows": 4} if fit else {"parameters": 5, "rows": 4} if term else {"parameters": 1}
    figure = pyplot.figure(figsize=(15 if fit else 12, 9), constrained_layout=True)
    rows = figure.add_gridspec(2, 1)
    axes = {}
    for row, panels in enumerate(({"convergence": 7, "spread": 5}, bottom)):
        cells = rows[row].subgridspec(1, len(panels), width_ratios=list(panels.values()))
        axes.update({name: figure.add_subplot(cells[i]) for i, name in enumerate(panels)})
    draw_convergence(axes["convergence"], result)
    draw_spread(axes["spread"], result)
    draw_parameters(axes["parameters"], result)
    if fit:
        target = target_name(result)
        draw_fit(axes["fit"], result, target)
        draw_rows(axes["rows"], result["fit/residual"], "Residuals", f"{target} measured - model",
                  result["fit_attributes"].get("rmse"))
    elif term:
        draw_rows(axes["rows"], result["fit/term"], "Terms of the objective", "term")
    title, subtitle = headline(path, result)
    figure.text(0.012, 0.975, title, fontsize=14, fontweight="bold", va="top")
    figure.text(0.012, 0.938, subtitle, fontsize=10, color="#555b63", va="top")
    figure.get_layout_engine().set(rect=(0, 0, 1, 0.915), h_pad=0.12, w_pad=0.12)
    return figure


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("result", help="the HDF5 file that `atoll de` wrote")
    parser.add_argument("-o", "--output", help="the figure: .png, .pdf or .svg (default: the result's name with .png)")
    parser.add_argument("--dpi", type=int, default=130, help="dots per inch of a .png (default %(default)s)")
    options = parser.parse_args()
    output = options.output or os.path.splitext(options.result)[0] + ".png"
    result = read(options.result)
    with pyplot.rc_context(STYLE):
        try:
            draw(options.result, result).savefig(output, dpi=options.dpi)
        except KeyError as error:
            fail(EXIT_BAD_DATA, f"{options.result}: has no {error}")
        except (OSError, ValueError) as error:
            fail(EXIT_CANNOT_WRITE, f"cannot write {output}: {error}")
    print(output)


if __name__ == "__main__":
    main()
