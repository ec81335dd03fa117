#!/usr/bin/env python3
"""Writes one map of a result of `atoll som` as other tools read it.

NAME.wts, NAME.bm and NAME.umx are somoclu's and the ESOM Tools' files: weights, best matching unit of each point, and
U-matrix. NAME.weights.csv has a row a neuron, NAME.assignments.csv a row a point. Rows, columns, neurons and points are
numbered from 0; weights are in the data's own units.
"""

import argparse
import os
import sys

try:
    import h5py  # noqa: F401  (asked for here, so that the message below names it)
except ImportError as error:
    sys.exit(f"export_som.py needs h5py ({error}); on Debian: apt install python3-h5py and run with /usr/bin/python3")

from som_result import EXIT_CANNOT_WRITE, EXIT_USAGE, Result, fail, u_matrix


def number(value):
    return repr(float(value))


def write_wts(path, map_):
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"% {map_.rows} {map_.columns}\n% {map_.weights.shape[1]}\n")
        for row in map_.weights:
            file.write(" ".join(number(value) for value in row) + "\n")


def write_umx(path, map_):
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"% {map_.rows} {map_.columns}\n")
        for row in u_matrix(map_).reshape(map_.rows, map_.columns):
            file.write(" ".join(number(value) for value in row) + "\n")


def write_bm(path, map_):
    """point row column; a point without any present cell has no best matching unit and is left out, as they expect."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"% {map_.rows} {map_.columns}\n% {len(map_.assignments)}\n")
        for point, neuron in enumerate(map_.assignments):
            if neuron >= 0:
                file.write(f"{point} {neuron // map_.columns} {neuron % map_.columns}\n")


def quoted(name):
    return '"' + name.replace('"', '""') + '"' if any(mark in name for mark in ',"\n') else name


def write_weights_csv(path, map_):
    with open(path, "w", encoding="utf-8") as file:
        hits = map_.hits if map_.hits is not None else [""] * map_.neurons
        file.write(",".join(["neuron", "row", "column", "hits"] + [quoted(name) for name in map_.names]) + "\n")
        for neuron, (row, hit) in enumerate(zip(map_.weights, hits)):
            cells = [neuron, neuron // map_.columns, neuron % map_.columns, hit]
            file.write(",".join([str(cell) for cell in cells] + [number(value) for value in row]) + "\n")


def write_assignments_csv(path, map_):
    with open(path, "w", encoding="utf-8") as file:
        file.write("point,neuron,row,column\n")
        for point, neuron in enumerate(map_.assignments):
            place = f"{neuron},{neuron // map_.columns},{neuron % map_.columns}" if neuron >= 0 else "-1,,"
            file.write(f"{point},{place}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("result", help="the HDF5 file that `atoll som` wrote")
    parser.add_argument("--map", metavar="INDEX", default="suggested",
                        help="the map: its row of /runs from 0, or \"suggested\" (default)")
    parser.add_argument("-o", "--output", metavar="NAME", help="the files' name without ending (default: the result's "
                                                               "name and the map's index)")
    options = parser.parse_args()
    result = Result(options.result)
    if options.map == "suggested":
        index = result.suggested_map()
    elif options.map.isdigit():
        index = int(options.map)
    else:
        fail(EXIT_USAGE, f"--map {options.map}: write a row of /runs from 0, or \"suggested\"")
    map_ = result.map(index)
    name = options.output or f"{os.path.splitext(options.result)[0]}.map-{index}"
    writers = {".wts": write_wts, ".umx": write_umx, ".weights.csv": write_weights_csv}
    if map_.assignments is not None:
        writers.update({".bm": write_bm, ".assignments.csv": write_assignments_csv})
    print(f"{map_.title()}")
    for ending, write in writers.items():
        try:
            write(name + ending, map_)
        except OSError as error:
            fail(EXIT_CANNOT_WRITE, f"cannot write {name + ending}: {error}")
        print(name + ending)
    if map_.assignments is None:
        print(f"{options.result} holds no assignments: no .bm (add \"assignments\" to run.store)", file=sys.stderr)


if __name__ == "__main__":
    main()
