"""What plot_som.py and export_som.py share: a result of `atoll som` read back, and the neighbours on its maps."""

import csv
import os
import sys
from dataclasses import dataclass, field

import h5py
import numpy

EXIT_USAGE, EXIT_BAD_DATA, EXIT_MISSING, EXIT_CANNOT_WRITE = 64, 65, 66, 74


def fail(code, message):
    print(f"{os.path.basename(sys.argv[0])}: {message}", file=sys.stderr)
    raise SystemExit(code)


def texts(values):
    return [value.decode() if isinstance(value, bytes) else str(value) for value in values]


@dataclass
class Map:
    """One map of a sweep."""

    index: int
    topology: str
    rows: int
    columns: int
    settings: dict
    weights: numpy.ndarray  # (neurons, columns of the data), in the data's own units
    scaled: numpy.ndarray  # the same in the space in which distances were measured
    hits: numpy.ndarray | None
    assignments: numpy.ndarray | None
    names: list = field(default_factory=list)

    @property
    def neurons(self):
        return self.rows * self.columns

    @property
    def grid(self):
        return self.topology not in ("line", "ring")

    def title(self):
        shape = f"{self.rows} x {self.columns}" if self.grid else f"{self.neurons} neurons"
        settings = self.settings
        return (f"map {self.index}: {self.topology}, {shape}, sigma {settings['sigma']:g}, eta {settings['eta']:g}, "
                f"{settings['epochs']} epochs, replicate {settings['replicate']}")


class Result:
    """An open result; everything is read when it is asked for."""

    def __init__(self, path):
        if not os.path.exists(path):
            fail(EXIT_MISSING, f"{path}: no such file")
        try:
            self.file = h5py.File(path, "r")
        except OSError as error:
            fail(EXIT_BAD_DATA, f"{path}: not a readable HDF5 file: {error}")
        self.path = path
        kind = self.file.attrs.get("format", "none")
        if kind != "atoll-som":
            fail(EXIT_BAD_DATA, f"{path}: not a result of `atoll som` (format: {kind})")

    @property
    def finished(self):
        return self.file.attrs["state"] == "finished"

    def runs(self, name):
        values = self.file["runs"][name][()]
        return numpy.array(texts(values)) if values.dtype.kind == "S" else values

    def summary(self, name):
        values = self.file["summary"][name][()]
        return numpy.array(texts(values)) if values.dtype.kind == "S" else values

    def suggestion(self, name):
        return self.summary(f"suggestion/{name}")

    def map(self, index):
        count = len(self.file["runs/state"])
        if not 0 <= index < count:
            fail(EXIT_USAGE, f"there is no map {index}; {self.path} has 0 to {count - 1}")
        if self.file["runs/state"][index] != 1:
            fail(EXIT_BAD_DATA, f"map {index} of {self.path} is not trained yet")
        if "values" not in self.file["weights"]:
            fail(EXIT_BAD_DATA, f"{self.path} holds no weights; add \"weights\" to run.store")
        first, last = self.file["weights/offset"][index:index + 2]
        weights = self.file["weights/values"][first:last].astype(float)
        offset, scale = self.file["data/offset"][()], self.file["data/scale"][()]
        runs = self.file["runs"]
        settings = {name: runs[name][index] for name in ("sigma", "eta", "epochs", "replicate", "quantization_error",
                                                         "topographic_error", "explained_variance")}
        return Map(
            index=index, topology=texts([runs["topology"][index]])[0], rows=int(runs["rows"][index]),
            columns=int(runs["columns"][index]), settings=settings, weights=weights, scaled=(weights - offset) / scale,
            hits=self.file["hits/values"][first:last] if "hits" in self.file else None,
            assignments=self.file["assignments"][index] if "assignments" in self.file else None,
            names=texts(self.file["data/name"][()]))

    def suggested_map(self):
        """The suggested size of the first group, and of its replicates the one with the least quantization error."""
        if not self.finished:
            fail(EXIT_BAD_DATA, f"{self.path} is unfinished and suggests nothing yet; name a map with --map")
        same = numpy.ones(len(self.file["runs/state"]), bool)
        for name in ("topology", "rows", "columns", "sigma", "eta", "epochs"):
            same &= self.runs(name) == self.suggestion(name)[0]
        error = numpy.where(same, self.runs("quantization_error"), numpy.inf)
        return int(numpy.nanargmin(error))


def neighbors(map_):
    """Pairs (i, j), i < j, of neurons that are neighbours on the map; `wrapped` pairs cross an edge of a torus."""
    rows, columns, topology = map_.rows, map_.columns, map_.topology
    pairs = {}

    def add(i, row, column):
        wraps = not (0 <= row < rows and 0 <= column < columns)
        if wraps and not topology.endswith("toroid") and not (topology == "ring" and row == 0):
            return
        j = row % rows * columns + column % columns
        if i != j:
            pairs.setdefault((min(i, j), max(i, j)), wraps)

    for row in range(rows):
        for column in range(columns):
            i = row * columns + column
            add(i, row, column + 1)
            if not map_.grid:
                continue
            if topology.startswith("hexagonal"):  # odd rows stand half a place to the right
                left = column if row % 2 else column - 1
                add(i, row + 1, left)
                add(i, row + 1, left + 1)
            else:
                add(i, row + 1, column)
    return pairs


def u_matrix(map_):
    """Mean distance of each neuron's weights to those of its neighbours, in the space of the maps."""
    total, count = numpy.zeros(map_.neurons), numpy.zeros(map_.neurons)
    for i, j in neighbors(map_):
        distance = numpy.linalg.norm(map_.scaled[i] - map_.scaled[j])
        for end in (i, j):
            total[end] += distance
            count[end] += 1
    return total / numpy.maximum(count, 1)


def read_points(result, path=None):
    """The points that the maps were trained on, in the order of /data/name; None where the file is not there."""
    if path is None:
        try:
            import tomllib
            path = tomllib.loads(str(result.file.attrs["config"]))["data"]["file"]
        except (ImportError, KeyError, ValueError):
            return None
    name, _, dataset = path.partition(".h5:") if ".h5:" in path else (path, "", "")
    name = name + ".h5" if dataset else name
    if not os.path.exists(name):
        return None
    wanted = texts(result.file["data/name"][()])
    if dataset:
        with h5py.File(name, "r") as file:
            table, names = numpy.atleast_2d(file[dataset][()].astype(float)), None
    elif name.endswith(".npy"):
        table, names = numpy.load(name).astype(float), None
    else:
        table, names = read_text(name)
    if names is None or not set(wanted) <= set(names):
        names = [str(c) for c in range(table.shape[1])]
    if not set(wanted) <= set(names):
        return table if table.shape[1] == len(wanted) else None
    return table[:, [names.index(column) for column in wanted]]


def read_text(path):
    """A table of text: (values, names or None). Cells that are no numbers become NaN."""
    with open(path, newline="", encoding="utf-8-sig") as file:
        lines = [line for line in file.read().splitlines() if line.strip() and not line.lstrip().startswith("#")]
    separator = next((s for s in "\t;," if s in lines[0]), None)
    rows = list(csv.reader(lines, delimiter=separator)) if separator else [line.split() for line in lines]

    def number(cell):
        try:
            return float(cell)
        except ValueError:
            return numpy.nan

    names = None
    if not any(numpy.isfinite(number(cell)) for cell in rows[0]):
        names, rows = [cell.strip() for cell in rows[0]], rows[1:]
    return numpy.array([[number(cell) for cell in row] for row in rows]), names
