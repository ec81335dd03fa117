#!/usr/bin/env python3
"""Compares two atoll result files bit for bit.

Two runs with one seed and synchronous migration must agree in every dataset and attribute but those that say when,
where and by whom a run was made. NaN equals NaN; 0.0 and -0.0 differ.

Exit code: 0 equal, 1 different, 2 a file cannot be read.
"""

import argparse
import sys

try:
    import h5py
    import numpy
except ImportError as error:
    print(f"compare_h5.py needs h5py ({error}); on Debian: apt install python3-h5py and run with /usr/bin/python3",
          file=sys.stderr)
    raise SystemExit(2) from None

# Not compared, and why. A path covers everything below it; PATH@NAME is an attribute.
EXCLUDED = {
    "/devices": "which devices computed, and for how long",
    "/history/seconds": "time",
    "/runs/seconds": "time",
    "/runs/rank": "which rank trained a map",
    "/@seconds": "time",
    "/@started": "time",
    "/@finished": "time",
    "/@host": "where it ran",
    "/@ranks": "the number of ranks does not change a result",
    "/@command_line": "paths and launcher options; what decides the result is in config",
    "/@mpi": "the library of that machine",
    "/@hdf5": "the library of that machine",
    "/@atoll_version": "the program, not the result",
    "/@git_hash": "the program, not the result",
    "/@slurm_job_id": "where it ran",
    "/@slurm_restarts": "a resumed run gives the same bits",
}
MOST_SHOWN = 5  # different elements of one dataset


def is_excluded(path, excluded):
    return any(path == prefix or path.startswith(prefix + "/") or path.startswith(prefix + "@") for prefix in excluded)


def items_of(file):
    """Path -> numpy array (or None for a group) of everything in a file, attributes as PATH@NAME."""
    items = {}

    def add(path, node):
        items[path] = node[()] if isinstance(node, h5py.Dataset) else None
        for name, value in node.attrs.items():
            items[f"{path}@{name}"] = value

    add("/", file)
    file.visititems(lambda name, node: add("/" + name, node))
    return items


def equal_bits(a, b):
    """Element by element: the same bits, or both NaN."""
    if a.dtype.kind != "f":
        return a == b
    bits = f"u{a.dtype.itemsize}"
    same = numpy.ascontiguousarray(a).view(bits) == numpy.ascontiguousarray(b).view(bits)
    return same.reshape(a.shape) | (numpy.isnan(a) & numpy.isnan(b))


def difference(a, b):
    """What differs between two items, as lines of text; nothing when they are equal."""
    if a is None or b is None:
        return [] if a is b else ["a group in one file, a dataset in the other"]
    a, b = numpy.asarray(a), numpy.asarray(b)
    if a.dtype.kind != b.dtype.kind or (a.dtype.kind not in "OSU" and a.dtype != b.dtype):
        return [f"type {a.dtype} / {b.dtype}"]
    if a.shape != b.shape:
        return [f"shape {a.shape} / {b.shape}"]
    same = numpy.atleast_1d(equal_bits(a, b))
    if same.all():
        return []
    where = numpy.argwhere(~same)
    lines = [f"{len(where)} of {same.size} differ"] if same.size > 1 else []
    for index in where[:MOST_SHOWN]:
        at = tuple(int(i) for i in index)
        one, other = numpy.atleast_1d(a)[at], numpy.atleast_1d(b)[at]
        place = "[" + ", ".join(map(str, at)) + "]: " if same.size > 1 else ""
        lines.append(f"{place}{shown(one)} / {shown(other)}")
    if len(where) > MOST_SHOWN:
        lines.append("...")
    return lines


def shown(value):
    if isinstance(value, bytes):
        value = value.decode(errors="replace")
    if isinstance(value, str):
        return repr(value if len(value) <= 200 else value[:200] + "...")
    return repr(value.item() if hasattr(value, "item") else value)


def compare(first, second, excluded):
    """Prints what differs; the number of paths that do, and of those compared."""
    different = compared = 0
    for path in sorted(set(first) | set(second)):
        if is_excluded(path, excluded):
            continue
        compared += 1
        if path not in first or path not in second:
            lines = ["only in the second file" if path not in first else "only in the first file"]
        else:
            lines = difference(first[path], second[path])
        if lines:
            different += 1
            print(path + ": " + "\n    ".join(lines))
    return different, compared


def read(path):
    try:
        with h5py.File(path, "r") as file:
            return items_of(file)
    except (OSError, RuntimeError) as error:
        print(f"{path}: {error}", file=sys.stderr)
        raise SystemExit(2) from None


def main():
    excluded = "".join(f"\n  {path:<18} {why}" for path, why in EXCLUDED.items())
    parser = argparse.ArgumentParser(description=__doc__, epilog="not compared:" + excluded,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--ignore", action="append", default=[], metavar="PATH",
                        help="leave out this path too, e.g. /migrations or /@message (repeatable)")
    parser.add_argument("--quiet", action="store_true", help="only the exit code and the differences")
    options = parser.parse_args()
    different, compared = compare(read(options.first), read(options.second), list(EXCLUDED) + options.ignore)
    if different:
        print(f"{different} of {compared} paths differ")
        return 1
    if not options.quiet:
        print(f"equal bits in {compared} datasets, groups and attributes")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BrokenPipeError:  # the reader of our output has seen enough
        sys.exit(1)
