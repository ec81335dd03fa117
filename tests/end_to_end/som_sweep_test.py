#!/usr/bin/python3
"""Sweeps as a user runs them: what comes out, whatever the number of ranks."""

import json
import subprocess
import sys

import h5py
import numpy

from atoll_test_tools import SOURCE, AtollTest, main

HEAD = """[data]
file = "points.csv"
"""
RINGS = HEAD + """[sweep]
neurons = "2..9"
sigma = [3.0, 1.0]
epochs = 12
replicates = 2
[run]
precision = "double"
"""


def points(rows, columns, seed=1):
    return numpy.random.default_rng(seed).uniform(size=(rows, columns))


def brute_force(x, weights):
    """Nearest neuron of each point, the lowest index on ties."""
    return numpy.argmin(((x[:, None, :] - weights[None]) ** 2).sum(axis=2), axis=1)


class SweepTest(AtollTest):
    def points(self, x, name="points.csv"):
        numpy.savetxt(self.folder / name, x, delimiter=",", fmt="%.17g")
        return x

    def sweep(self, text, *options, name="sweep", ranks=None, code=0):
        self.write(f"{name}.toml", text)
        run = self.atoll("som", f"{name}.toml", *options, ranks=ranks)
        self.assertEqual(run.code, code, run)
        return run

    def assert_same_bits(self, first, second):
        run = subprocess.run([sys.executable, SOURCE / "scripts/compare_h5.py", self.folder / first, self.folder / second],
                             capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def weights(self, result, s):
        first, last = result["weights/offset"][s:s + 2]
        return result["weights/values"][first:last]


class Ranks(SweepTest):
    def test_any_number_of_ranks_gives_the_same_bits(self):
        self.points(points(300, 3))
        self.sweep(RINGS, "-o", "alone.h5")
        for ranks in (1, 2, 3, 4):
            self.sweep(RINGS, "-o", f"on{ranks}.h5", ranks=ranks)

            self.assert_same_bits("alone.h5", f"on{ranks}.h5")

    def test_no_setting_is_known_to_rank_0_only(self):
        x = self.points(points(40, 4) * [1, 10, 100, 1000])
        x[3, 1] = numpy.nan
        self.points(x)
        scalars = HEAD + """use = [0, 1, 3]
scale = "zscore"
missing = "ignore"
[sweep]
neurons = "2..13"
sigma = 2.5
eta = 0.75
epochs = 7
topology = "line"
replicates = 3
[som]
decay = { sigma = "exponential", eta = "linear_to" }
sigma_end = 0.3
eta_end = 0.02
decay_per = "step"
neighborhood = "triangle"
initial = "uniform:-1:1"
distance = "manhattan"
[run]
store = ["weights", "hits"]
"""
        options = ("--seed", "5", "--precision", "double", "--set", "sweep.eta=0.6", "--set", "som.neighborhood=bubble")
        self.sweep(scalars, *options, "-o", "alone.h5")
        for ranks in (1, 2, 3, 6):
            self.sweep(scalars, *options, "-o", f"on{ranks}.h5", ranks=ranks)

            self.assert_same_bits("alone.h5", f"on{ranks}.h5")

    def test_more_ranks_than_maps_or_points_is_the_same(self):
        self.points(points(5, 2))
        few = HEAD + "[sweep]\nneurons = [2, 3, 8]\nreplicates = 1\nepochs = 5\n"
        one = HEAD + "[sweep]\nneurons = 3\nreplicates = 1\nepochs = 5\n"
        self.sweep(few, "-o", "few.h5")
        self.sweep(one, "-o", "one.h5")

        self.sweep(few, "-o", "few4.h5", ranks=4)
        self.sweep(few, "-o", "few8.h5", ranks=8)
        self.sweep(one, "-o", "one4.h5", ranks=4)

        self.assert_same_bits("few.h5", "few4.h5")
        self.assert_same_bits("few.h5", "few8.h5")
        self.assert_same_bits("one.h5", "one4.h5")

    def test_the_same_sweep_twice_is_the_same_and_another_seed_is_not(self):
        self.points(points(100, 3))
        self.sweep(RINGS, "-o", "a.h5")
        self.sweep(RINGS, "-o", "b.h5")
        self.sweep(RINGS, "-o", "c.h5", "--seed", "2")

        self.assert_same_bits("a.h5", "b.h5")
        with self.open("a.h5") as a, self.open("c.h5") as c:
            self.assertFalse(numpy.array_equal(a["weights/values"], c["weights/values"]))

    def test_a_larger_sweep_contains_the_smaller_one(self):
        self.points(points(100, 3))
        sweep = HEAD + "[sweep]\nneurons = \"{}\"\nepochs = 5\nreplicates = 2\n"
        self.sweep(sweep.format("2..4"), "-o", "small.h5")
        self.sweep(sweep.format("2..8"), "-o", "large.h5")

        with self.open("small.h5") as small, self.open("large.h5") as large:
            for s in range(6):
                numpy.testing.assert_array_equal(self.weights(small, s), self.weights(large, s))


class Results(SweepTest):
    def test_rows_stand_in_sweep_order_with_their_settings(self):
        self.points(points(50, 2))
        self.sweep(HEAD + "[sweep]\nneurons = [4, 2]\nshapes = \"2x3\"\ntopology = [\"ring\", \"rectangular\"]\n"
                   "sigma = [2, \"n/2\"]\nepochs = [3, 4]\nreplicates = 2\n")

        with self.open("sweep.h5") as result:
            runs = result["runs"]
            self.assertEqual(list(runs["neurons"]), [4] * 8 + [2] * 8 + [6] * 8)
            self.assertEqual(list(runs["topology"].asstr()), ["ring"] * 16 + ["rectangular"] * 8)
            self.assertEqual(list(runs["sigma"][:8]), [2] * 4 + [2] * 4)
            self.assertEqual(list(runs["sigma"][16:]), [2] * 4 + [1.5] * 4)
            self.assertEqual(list(runs["epochs"][:4]), [3, 3, 4, 4])
            self.assertEqual(list(runs["replicate"][:4]), [0, 1, 0, 1])
            self.assertEqual(result["summary/neurons"].shape, (12,))
            self.assertEqual(result["summary/suggestion/neurons"].shape, (8,))

    def test_assignments_are_those_of_a_brute_force_search_over_the_stored_weights(self):
        for precision in ("single", "double"):
            for scale in ("none", "zscore", "minmax"):
                x = self.points(points(200, 3) * [1, 10, 100] + [0, 5, 1e4])
                self.sweep(HEAD + f"scale = \"{scale}\"\n[sweep]\nneurons = [5, 20]\nreplicates = 1\nepochs = 8\n"
                           f"[run]\nprecision = \"{precision}\"\n", "--force")

                with self.open("sweep.h5") as result:
                    offset, factor = result["data/offset"][()], result["data/scale"][()]
                    for s in range(2):
                        weights = self.weights(result, s)
                        found = brute_force((x - offset) / factor, (weights - offset) / factor)
                        numpy.testing.assert_array_equal(result["assignments"][s], found)
                        first, last = result["weights/offset"][s:s + 2]
                        hits = result["hits/values"][first:last]
                        numpy.testing.assert_array_equal(hits, numpy.bincount(found, minlength=len(weights)))
                        error = numpy.linalg.norm(((x - weights[found]) / factor), axis=1).mean()
                        self.assertAlmostEqual(result["runs/quantization_error"][s] / error, 1, places=5)

    def test_the_summary_is_that_of_the_runs(self):
        self.points(points(100, 2))
        self.sweep(HEAD + "[sweep]\nneurons = [3, 6]\nreplicates = 4\nepochs = 5\n")

        with self.open("sweep.h5") as result:
            runs = result["runs/quantization_error"][()].reshape(2, 4)
            numpy.testing.assert_allclose(result["summary/quantization_error_mean"], runs.mean(axis=1), rtol=1e-14)
            numpy.testing.assert_allclose(result["summary/quantization_error_std"], runs.std(axis=1), rtol=1e-10)
            numpy.testing.assert_array_equal(result["summary/quantization_error_min"], runs.min(axis=1))

    def test_the_use_case_reaches_its_known_quantization_errors(self):
        self.write("ring.toml", self.data("som_ring_use_case/ring.toml").read_text().replace(
            "points.csv", str(self.data("som_ring_use_case/points.csv"))))

        run = self.atoll("som", "ring.toml", "--set", "sweep.neurons=[2, 5, 10, 33]", "--set", "sweep.replicates=40")

        self.assertEqual(run.code, 0, run)
        with self.open("ring.h5") as result:
            mean = result["summary/quantization_error_mean"][()]
            numpy.testing.assert_allclose(mean, [0.41211, 0.29508, 0.22525, 0.14550], rtol=0.003)

    def test_show_prints_the_table_and_the_suggestion(self):
        self.points(points(100, 2))
        self.sweep(RINGS)

        text, parsed = self.atoll("show", "sweep.h5"), self.atoll("show", "sweep.h5", "--json")

        self.assertEqual(text.code, 0, text)
        self.assertIn("suggested: ", text.out)
        self.assertEqual(len(json.loads(parsed.out)["summary"]), 16)

    def test_what_is_not_stored_is_not_there(self):
        self.points(points(40, 2))
        self.sweep(RINGS + "store = []\n")

        with self.open("sweep.h5") as result:
            self.assertNotIn("assignments", result)
            self.assertNotIn("values", result["weights"])
            self.assertTrue(numpy.isfinite(result["runs/quantization_error"]).all())


class Awkward(SweepTest):
    def test_one_row_one_column_few_points_and_one_neuron_train(self):
        for rows, columns in ((1, 1), (1, 3), (3, 1), (3, 2), (40, 1)):
            x = self.points(points(rows, columns))
            self.sweep(HEAD + "[sweep]\nneurons = [1, 8]\nreplicates = 1\nepochs = 20\n", "--force")

            with self.open("sweep.h5") as result:
                self.assertTrue(numpy.isfinite(result["weights/values"]).all())
                self.assertEqual(result["hits/values"][0], rows)
                self.assertEqual(result["hits/values"][1:].sum(), rows)
                self.assertEqual(result["runs/topographic_error"][0], 0)
                if rows == 40:
                    numpy.testing.assert_allclose(self.weights(result, 0)[0], x.mean(axis=0), atol=0.15)

    def test_a_constant_column_stays_finite(self):
        for scale in ("zscore", "minmax"):
            x = points(30, 3)
            x[:, 1] = 7.25
            self.points(x)
            self.sweep(HEAD + f"scale = \"{scale}\"\n[sweep]\nneurons = 4\nreplicates = 1\nepochs = 9\n", "--force")

            with self.open("sweep.h5") as result:
                numpy.testing.assert_array_equal(result["weights/values"][:, 1], 7.25)

    def test_shifted_data_have_the_winners_of_a_double_precision_search(self):
        for shift, precision in ((1e4, "single"), (1e9, "double")):
            x = self.points(points(500, 3) + shift)
            self.sweep(HEAD + "[sweep]\nneurons = 20\nreplicates = 1\nepochs = 10\n"
                       f"[run]\nprecision = \"{precision}\"\n", "--force")

            with self.open("sweep.h5") as result:
                center = x.mean(axis=0)
                found = brute_force(x - center, self.weights(result, 0) - center)
                self.assertEqual(int((found != result["assignments"][0]).sum()), 0)

    def test_missing_cells_are_refused_by_place_or_ignored(self):
        self.write("points.csv", "a,b\n" + "1,2\n3,4\n" * 10 + "5,\n,6\nnan,NA\n")
        sweep = "[sweep]\nneurons = 3\nreplicates = 1\nepochs = 5\n"

        self.write("refused.toml", HEAD + sweep)
        refused = self.atoll("som", "refused.toml")
        self.sweep(HEAD + "missing = \"ignore\"\n" + sweep)

        self.assert_refused(refused, 65, "points.csv", "22")
        with self.open("sweep.h5") as result:
            self.assertTrue(numpy.isfinite(result["weights/values"]).all())
            self.assertEqual(result["assignments"][0][-1], -1)
            self.assertEqual(result["hits/values"][()].sum(), 22)

    def test_start_weights_and_orders_come_from_files(self):
        x = self.points(points(20, 2))
        weights = numpy.array([[1000.0, 2000.0], [0.5, 0.5], [0.0, 1.0]])
        with h5py.File(self.folder / "in.h5", "w") as file:
            file["w"] = weights
            file["bad"] = numpy.where(weights == 0.5, numpy.nan, weights)
            file["order"] = numpy.stack([numpy.random.default_rng(e).permutation(20) for e in range(4)])
        sweep = HEAD + "[sweep]\nneurons = {}\nsigma = 0\neta = 0.5\nepochs = 3\nreplicates = 1\n[som]\n" \
                       "initial = \"in.h5:/{}\"\norder = \"in.h5:/order\"\n[run]\nprecision = \"double\"\n"

        self.sweep(sweep.format(3, "w"))
        wrong_shape = self.sweep(sweep.format(4, "w"), name="four", code=65)
        not_finite = self.sweep(sweep.format(3, "bad"), name="bad", code=65)

        expected = weights.copy()
        with h5py.File(self.folder / "in.h5") as file:
            for epoch in range(3):
                for point in file["order"][epoch]:
                    winner = ((x[point] - expected) ** 2).sum(axis=1).argmin()
                    expected[winner] += 0.5 * (1 - epoch / 3) * (x[point] - expected[winner])
        with self.open("sweep.h5") as result:
            numpy.testing.assert_allclose(self.weights(result, 0), expected, rtol=1e-12)
            numpy.testing.assert_array_equal(self.weights(result, 0)[0], weights[0])  # nobody's winner
        self.assertIn("3 x 2", wrong_shape.err)
        self.assertIn("4 x 2", wrong_shape.err)
        self.assertIn("neuron 1, column 0 is nan", not_finite.err)

    def test_bad_sweeps_are_refused_with_their_line_on_any_number_of_ranks(self):
        self.points(points(10, 2))
        for line, message in (("neurons = \"128..2\"", "runs downward"), ("neurons = 4\nepochs = 0", "epochs"),
                              ("neurons = []", "empty list"), ("neurons = 4\neta = nan", "eta")):
            self.write("sweep.toml", HEAD + "[sweep]\n" + line + "\n")
            where = f"sweep.toml:{4 if chr(10) not in line else 5}: "

            self.assert_refused(self.atoll("som", "sweep.toml"), 78, where, message)
        refused = self.atoll("som", "sweep.toml", ranks=2)
        self.assertEqual(refused.err.count("eta"), 1, refused)

    def test_a_dry_run_says_what_would_happen_and_does_nothing(self):
        self.points(points(100, 2))
        self.write("sweep.toml", RINGS)

        run = self.atoll("som", "sweep.toml", "--dry-run", "--set", "sweep.epochs=7")
        blind = self.atoll("som", "sweep.toml", "--dry-run", env={"OCL_ICD_VENDORS": "/nowhere"})

        self.assertEqual(run.code, 0, run)
        for text in ("sweep.epochs = 7", "--set sweep.epochs", "32 maps", "sweep.h5", "result"):
            self.assertIn(text, run.out)
        self.assertEqual(blind.code, 0, blind)
        self.assertIn("no device", blind.out)
        self.assertEqual([p.name for p in self.folder.glob("*.h5*")], [])


main()
