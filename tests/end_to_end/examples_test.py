"""The examples of data/: every one is accepted, and those with a known answer find it."""

import re
import tomllib

from atoll_test_tools import SOURCE, AtollTest, main

EXAMPLES = sorted((SOURCE / "data").glob("*/*.toml"))


def subcommand(path):
    return "som" if "sweep" in tomllib.loads(path.read_text()) else "de"


def certified(path):
    """The answer in the head of a NIST example: parameters in order, and the residual sum of squares."""
    head = path.read_text()
    parameters = re.findall(r"^#   b\d +\S+ +\S+ +(\S+)$", head, re.MULTILINE)
    return [float(value) for value in parameters], float(re.search(r"sum of squares (\S+)", head)[1])


class Examples(AtollTest):
    def test_every_example_is_accepted(self):
        self.assertGreaterEqual(len(EXAMPLES), 12)
        for path in EXAMPLES:
            with self.subTest(path.name):
                run = self.atoll(subcommand(path), path, "--dry-run")

                self.assertEqual(run.code, 0, run)
                self.assertEqual(list(self.folder.iterdir()), [], "a dry run leaves nothing behind")

    def test_product_model_finds_the_known_minimum_on_two_ranks(self):
        run = self.atoll("de", self.data("de_product/product.toml"), ranks=2)

        self.assertEqual(run.code, 0, run)
        with self.open("product.h5") as result:
            self.assertLess(abs(result["fun"][()] / 98.04025930807 - 1), 1e-9)

    def test_nist_fits_reach_the_certified_values(self):
        examples = [path for path in EXAMPLES if path.parent.name == "nist"]
        self.assertEqual(len(examples), 8)
        for path in examples:
            with self.subTest(path.name):
                parameters, residual = certified(path)

                run = self.atoll("de", path)

                self.assertEqual(run.code, 0, run)
                with self.open(path.stem + ".h5") as result:
                    self.assertLess(abs(result["fun"][()] / residual - 1), 1e-8)
                    for found, known in zip(result["x"][()], parameters, strict=True):
                        self.assertLess(abs(found / known - 1), 1e-5)


main()
