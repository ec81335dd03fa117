"""Cases that break optimizers in the field: objectives without numbers, offsets, tiny budgets, odd boxes, noise."""

import numpy as np
from atoll_test_tools import AtollTest, main

ROSENBROCK = """real objective(const real *x) {
  const real valley = x[1] - x[0] * x[0], away = 1 - x[0];
  return CONSTANT_scale * (100 * valley * valley + away * away) + CONSTANT_offset;
}
"""


class Cases(AtollTest):
    def search(self, objective, rest, *options, ranks=None, code=0):
        """Runs an objective file with one island unless told otherwise; gives the run and the opened result."""
        self.write("f.cl", objective)
        self.write("case.toml", f'[problem]\nobjective = "f.cl"\n{rest}')
        islands = [] if "islands.count" in " ".join(options) else ["--set", "islands.count=1"]

        run = self.atoll("de", "case.toml", "-o", "case.h5", "--force", *islands, *options, ranks=ranks)

        self.assertEqual(run.code, code, run)
        result = self.open("case.h5")
        self.addCleanup(result.close)
        return run, result

    def rosenbrock(self, offset, *options, scale=1.0):
        rest = f"""[constants]
scale = {scale!r}
offset = {offset!r}
[parameters]
p = {{ min = -5, max = 5, size = 2 }}
"""
        return self.search(ROSENBROCK, rest, *options)

    def sphere(self, rest, *options, size=3, box=(-5, 5), **more):
        text = "real objective(const real *x) {\n  real sum = 0;\n"
        text += f"  for (int k = 0; k < {size}; ++k) {{ if (x[k] < {box[0]} || x[k] > {box[1]}) return NAN; "
        text += "sum += x[k] * x[k]; }\n  return sum;\n}\n"
        parameters = f"[parameters]\np = {{ min = {box[0]}, max = {box[1]}, size = {size} }}\n"
        return self.search(text, parameters + rest, *options, **more)

    def test_a_region_of_nan_or_inf_is_left_and_counted(self):
        for value, counter in (("NAN", "nan_evaluations"), ("INFINITY", "inf_evaluations")):
            with self.subTest(value):
                text = f"""real objective(const real *x) {{
  if (x[0] < 0.5) return {value};
  return (x[0] - 0.75) * (x[0] - 0.75) + (x[1] - 0.3) * (x[1] - 0.3);
}}
"""

                _, result = self.search(text, "[parameters]\np = { min = 0, max = 1, size = 2 }\n")

                self.assertLess(result["fun"][()], 1e-12)
                np.testing.assert_allclose(result["x"][()], [0.75, 0.3], atol=1e-6)
                self.assertEqual(result.attrs["success"], 1)
                self.assertGreater(result.attrs[counter], 0)
                self.assertEqual(result.attrs["nan_evaluations"] + result.attrs["inf_evaluations"], result.attrs[counter])

    def test_no_number_anywhere_ends_after_the_first_population(self):
        for value, counter in (("NAN", "nan_evaluations"), ("INFINITY", "inf_evaluations")):
            with self.subTest(value):
                text = f"real objective(const real *x) {{ return {value}; }}\n"
                rest = "[parameters]\np = { min = 0, max = 1, size = 2 }\n[algorithm]\npopulation = 25\n"

                run, result = self.search(text, rest, code=1)

                self.assertEqual(result.attrs["success"], 0)
                self.assertEqual(result.attrs["nfev"], 25)
                self.assertEqual(result.attrs[counter], 25)
                self.assertEqual(result.attrs["stop_reason"], "no_finite_energy")
                self.assertIn("NaN or infinite", run.err)

    def test_an_offset_hides_no_minimum(self):
        for offset in (0.0, 1.0, 1e4, 1e8, -100.0):
            with self.subTest(offset):
                _, result = self.rosenbrock(offset)

                np.testing.assert_allclose(result["x"][()], [1, 1], atol=1e-3)
                self.assertGreater(result.attrs["nit"], 100)
                self.assertEqual(result.attrs["stop_reason"], "evaluations")
                self.assertEqual(result.attrs["success"], 1)
                self.assertEqual(result.attrs["converged"], 0)

    def test_a_tolerance_stops_only_where_it_was_asked_for(self):
        asked = ("--set", "stop.tolerance={absolute = 0.002}")

        _, result = self.rosenbrock(0.0, *asked, scale=2e-5)

        self.assertEqual(result.attrs["stop_reason"], "tolerance")
        self.assertEqual(result.attrs["converged"], 1)
        self.assertIn("tolerance", result.attrs["message"])
        self.assertLessEqual(np.std(result["islands/population_energies"][0]), 0.002)
        _, result = self.rosenbrock(0.0, scale=2e-5)
        self.assertEqual(result.attrs["stop_reason"], "evaluations")

    def test_a_budget_is_exact(self):
        for algorithm in ("classic", "jso"):
            with self.subTest(algorithm):
                rest = f'[algorithm]\nname = "{algorithm}"\npopulation = 10\n[stop]\nevaluations = 47\n'

                _, result = self.sphere(rest)

                self.assertEqual(result.attrs["nfev"], 47)
                self.assertEqual(result.attrs["stop_reason"], "evaluations")
                energies = result["islands/population_energies"][0]
                self.assertEqual(result.attrs["fun_before_polish"], np.min(energies))
                self.assertLessEqual(result["fun"][()], np.min(energies))

    def test_no_generation_leaves_the_best_of_the_first_population(self):
        rest = "[algorithm]\npopulation = 30\n[stop]\ngenerations = 0\n[run]\npolish = false\n"

        _, result = self.sphere(rest)

        self.assertEqual(result.attrs["nfev"], 30)
        self.assertEqual(result.attrs["nit"], 0)
        self.assertEqual(result["fun"][()], np.min(result["islands/population_energies"]))
        self.assertEqual(result["islands/population"].shape, (1, 30, 3))

    def test_a_latin_hypercube_has_one_member_a_stratum_on_every_axis(self):
        for members in (1015, 1815):
            with self.subTest(members):
                rest = f"[algorithm]\npopulation = {members}\n[stop]\ngenerations = 0\n"

                _, result = self.sphere(rest)

                points = result["islands/population"][0]
                self.assertEqual(points.shape, (members, 3))
                for axis in range(3):
                    strata = np.floor((points[:, axis] + 5) / 10 * members)
                    self.assertEqual(sorted(strata), list(range(members)))

    def test_equal_bounds_fix_a_parameter(self):
        text = "real objective(const real *x) { return x[0] * x[0] + x[1] * x[1] + x[2]; }\n"
        some = "[parameters]\na = [-5, 5]\nb = [2, 2]\nc = [0, 3]\n[stop]\nevaluations = 2000\n"
        everything = "[parameters]\na = [3, 3]\nb = [2, 2]\nc = [1, 1]\n"

        _, result = self.search(text, some)

        self.assertEqual(result["x"][1], 2)
        self.assertAlmostEqual(result["fun"][()], 4, places=6)
        self.assertEqual(list(result["parameters/fixed"]), [0, 1, 0])
        _, result = self.search(text, everything)
        self.assertEqual(list(result["x"]), [3, 2, 1])
        self.assertEqual(result["fun"][()], 14)
        self.assertEqual(result.attrs["nfev"], 1)

    def test_no_member_outside_the_box_is_ever_evaluated(self):
        # The objective is NaN outside, where its minimum lies.
        rules = [("jso", rule) for rule in ("midpoint", "reflect")] + [("classic", rule) for rule in ("resample", "clip")]
        for algorithm, rule in rules:
            with self.subTest(algorithm=algorithm, bounds=rule):
                rest = f'[algorithm]\nname = "{algorithm}"\nbounds = "{rule}"\n[stop]\nevaluations = 20_000\n'

                _, result = self.sphere(rest, box=(5, 10))

                self.assertEqual(result.attrs["nan_evaluations"], 0)
                np.testing.assert_allclose(result["x"][()], [5, 5, 5], rtol=1e-6)
                self.assertGreaterEqual(np.min(result["x"]), 5)
                self.assertLess(result["fun"][()], 75.001)
                self.assertEqual(list(result["parameters/at_bound"]), [1, 1, 1])

    def test_the_middle_of_a_logarithmic_box_is_not_at_its_bound(self):
        self.write("log.cl", "real objective(const real *x) { real u = log10(x[0]) + 6; return u * u; }\n")
        self.write("log.toml", '[problem]\nobjective = "log.cl"\n[parameters]\n'
                               'x = { min = 1e-12, max = 1e12, scale = "log" }\n[islands]\ncount = 2\n')

        run = self.atoll("de", "log.toml")

        self.assertEqual(run.code, 0, run)
        self.assertNotIn("at its bound", run.out)
        with self.open("log.h5") as file:
            self.assertAlmostEqual(file["x"][0] / 1e-6, 1, places=6)
            self.assertEqual(list(file["parameters/at_bound"]), [0])

    def test_integers_are_equally_likely_in_the_first_population(self):
        text = "real objective(const real *x) { return (x[0] - 2) * (x[0] - 2) + x[1] * x[1]; }\n"
        for initial in ("uniform", "latin_hypercube"):
            with self.subTest(initial):
                rest = f"""[parameters]
n = {{ min = 0, max = 3, integer = true }}
y = [-1, 1]
[algorithm]
initial = "{initial}"
population = 4000
[stop]
generations = 0
"""

                _, result = self.search(text, rest)

                values, counts = np.unique(result["islands/population"][0, :, 0], return_counts=True)
                self.assertEqual(list(values), [0, 1, 2, 3])
                self.assertLess(np.max(np.abs(counts - 1000)), 4 * np.sqrt(750))
                self.assertEqual(result["x"][0], 2)

    def test_a_box_without_an_integer_is_refused(self):
        self.write("case.toml", '[problem]\nbenchmark = "sphere"\n[parameters]\nn = { min = 0.2, max = 0.8, integer = true }\n')

        run = self.atoll("de", "case.toml")

        self.assert_refused(run, 78, "case.toml:4", "no integer in")

    def test_fun_is_the_objective_evaluated_again_and_a_difference_is_said(self):
        # The value depends on the launch, as noise would.
        text = "real objective(const real *x) { return x[0] * x[0] + 0.125 * (real)get_global_size(0); }\n"
        rest = "[parameters]\na = [-5, 5]\n[stop]\nevaluations = 1000\n[run]\npolish = false\n"

        run, result = self.search(text, rest, "--set", "islands.count=4")

        self.assertNotEqual(result["fun"][()], np.min(result["islands/population_energies"]))
        self.assertIn("evaluated again", run.err)

    def test_a_log_scale_finds_a_millionth_in_a_box_of_24_decades(self):
        text = "real objective(const real *x) { const real away = log10(x[0]) + 6; return away * away; }\n"
        rest = '[parameters]\nk = { min = 1e-12, max = 1e12, scale = "log" }\n'

        _, result = self.search(text, rest)

        self.assertLess(result["fun"][()], 1e-12)
        self.assertAlmostEqual(result["x"][0] / 1e-6, 1, places=5)

    def test_islands_differ_and_are_the_same_on_any_number_of_ranks(self):
        rest = "[algorithm]\npopulation = 20\n[migration]\ninterval = 5\n[stop]\nevaluations = 1000\n"
        names = ("x", "fun", "islands/population", "islands/population_energies", "history/island_best", "migrations/x")
        reference = None
        for ranks in (None, 1, 2, 3):
            with self.subTest(ranks):
                _, result = self.sphere(rest, "--set", "islands.count=8", ranks=ranks)

                found = {name: result[name][()] for name in names}
                reference = reference or found
                for name in names:
                    np.testing.assert_array_equal(found[name], reference[name])
        _, first = self.sphere(rest, "--set", "islands.count=8", "--set", "stop.generations=0")
        populations = {population.tobytes() for population in first["islands/population"][()]}
        self.assertEqual(len(populations), 8)

    def test_islands_need_not_divide_by_ranks(self):
        for islands, ranks in ((5, 3), (3, 1), (1, 2)):
            with self.subTest(islands=islands, ranks=ranks):
                rest = "[stop]\nevaluations = 3000\n"

                _, result = self.sphere(rest, "--set", f"islands.count={islands}", ranks=ranks)

                self.assertEqual(result.attrs["nfev"], 3000 * islands)
                self.assertLess(result["fun"][()], 1e-6)

    def test_the_migration_log_says_who_came_from_where(self):
        rest = """[algorithm]
population = 20
[migration]
topology = "complete"
interval = 5
[stop]
evaluations = 2000
"""

        _, result = self.sphere(rest, "--set", "islands.count=4", ranks=2)

        log = {name: result[f"migrations/{name}"][()] for name in ("generation", "source", "destination", "energy", "x")}
        self.assertGreater(len(log["energy"]), 20)
        self.assertTrue(np.all(log["source"] != log["destination"]))
        self.assertEqual(set(log["source"]) | set(log["destination"]), {0, 1, 2, 3})
        self.assertTrue(np.all(log["generation"] % 5 == 0))
        for x, energy in zip(log["x"], log["energy"], strict=True):
            self.assertEqual(x[0] * x[0] + x[1] * x[1] + x[2] * x[2], energy)
        # Best members travel: an energy is the best of its source at that generation.
        history = dict(zip(result["history/generation"][()], result["history/island_best"][()], strict=True))
        for generation, source, energy in zip(log["generation"], log["source"], log["energy"], strict=True):
            self.assertEqual(history[generation][source], energy)


main()
