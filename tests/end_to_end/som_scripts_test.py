#!/usr/bin/python3
"""The examples of sweeps, and what plot_som.py and export_som.py make of their results."""

import subprocess
import sys

import numpy

from atoll_test_tools import SOURCE, AtollTest, main

PNG = b"\x89PNG\r\n\x1a\n"


class Scripts(AtollTest):
    def script(self, name, *arguments, code=0):
        run = subprocess.run([sys.executable, SOURCE / "scripts" / name, *map(str, arguments)], cwd=self.folder,
                             capture_output=True, text=True)
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        return run

    def run_example(self, name, *options):
        run = self.atoll("som", self.data(name), *options)
        self.assertEqual(run.code, 0, run)

    def assert_png(self, name):
        self.assertEqual((self.folder / name).read_bytes()[:8], PNG)

    def test_examples_run_and_are_drawn(self):
        self.run_example("som_ring_use_case/ring.toml", "--set", "sweep.neurons=\"2..12\"", "--set", "sweep.replicates=3")
        self.run_example("iris/grids.toml")
        self.run_example("iris/batch.toml")

        for result in ("ring", "grids", "batch"):
            self.script("plot_som.py", f"{result}.h5")
            self.assert_png(f"{result}.png")
            self.script("plot_som.py", f"{result}.h5", "--map", "0", "-o", f"{result}-0.png")
            self.assert_png(f"{result}-0.png")
        self.script("plot_som.py", "grids.h5", "--map", "suggested", "-o", "suggested.png")
        self.assert_png("suggested.png")

    def test_an_exported_map_is_the_stored_one(self):
        self.run_example("iris/grids.toml")

        self.script("export_som.py", "grids.h5", "--map", "26", "-o", "map")  # hexagonal, 5 x 6

        with self.open("grids.h5") as result:
            first, last = result["weights/offset"][26:28]
            weights, nearest = result["weights/values"][first:last], result["assignments"][26]
        numpy.testing.assert_array_equal(numpy.loadtxt(self.folder / "map.wts", comments="%"), weights)
        self.assertEqual((self.folder / "map.wts").read_text().splitlines()[:2], ["% 5 6", "% 4"])
        points, rows, columns = numpy.loadtxt(self.folder / "map.bm", comments="%", dtype=int).T
        numpy.testing.assert_array_equal(points, numpy.arange(150))
        numpy.testing.assert_array_equal(rows * 6 + columns, nearest)
        self.assertEqual(numpy.loadtxt(self.folder / "map.umx", comments="%").shape, (5, 6))
        table = numpy.loadtxt(self.folder / "map.weights.csv", delimiter=",", skiprows=1)
        numpy.testing.assert_array_equal(table[:, 4:], weights)
        self.assertEqual(int(table[:, 3].sum()), 150)

    def test_the_keys_that_the_documentation_shows_are_those_of_a_sweep(self):
        text = (SOURCE / "data/README.md").read_text().split("## Every key of a sweep file")[1]
        self.write("keys.toml", text.split("```toml")[1].split("```")[0])
        self.write("points.csv", "1,2,3\n4,5,6\n7,8,9\n")

        run = self.atoll("som", "keys.toml", "--dry-run")

        self.assertEqual(run.code, 0, run)
        self.assertEqual(run.out.count("# keys.toml:"), 21, run.out)  # no key is left to its default

    def test_wrong_questions_are_refused(self):
        self.run_example("iris/batch.toml")

        self.assertIn("no map 99", self.script("plot_som.py", "batch.h5", "--map", "99", code=64).stderr)
        self.assertIn("no such file", self.script("plot_som.py", "nothing.h5", code=66).stderr)
        self.write("text.h5", "no HDF5")
        self.assertIn("not a readable", self.script("export_som.py", "text.h5", code=65).stderr)


main()
