"""A search without an end, and what the fault tests ask of it.

It runs until it is disturbed, on any machine. What it saved then goes on to an end of its own, a little later, and so does
an undisturbed search: both must have the same bits.
"""

import os
import random
import subprocess
import sys
import time

import h5py

from atoll_test_tools import SOURCE, AtollTest, wait_until

FULL = bool(os.environ.get("ATOLL_FULL")) or "--full" in sys.argv  # the whole study, some minutes
if "--full" in sys.argv:
    sys.argv.remove("--full")

PROBLEM = """[problem]
benchmark = "rastrigin"
[parameters]
p = { min = -5.12, max = 5.12, size = 10 }
[algorithm]
name = "jso"
population = 60
schedule_evaluations = 400_000
[islands]
count = 24
[migration]
interval = 37
first = 90
topology = "ring"
[stop]
evaluations = 1_000_000_000
[run]
polish = false
"""
CHECKPOINT = "search.checkpoint.h5"
PREVIOUS = "search.checkpoint.previous.h5"


class SearchTest(AtollTest):
    """search.toml in the test's folder."""

    def setUp(self):
        super().setUp()
        self.write("search.toml", PROBLEM)
        self.random = random.Random(self.id())

    def search(self, *arguments, **options):
        """A started search that saves itself often."""
        return self.start("de", "search.toml", "--checkpoint-every", "50ms", *arguments, **options)

    def stopped_at_once(self, *arguments, **options):
        """A search that was stopped between two launches."""
        run = self.atoll("de", "search.toml", "--max-time", "1ms", *arguments, **options)
        self.assertEqual(run.code, 75, run)

    def wait_for(self, path, process):
        wait_until(lambda: path.exists() or process.poll() is not None, what=path.name)
        self.assertIsNone(process.poll(), "the search ended by itself")

    def wait_for_checkpoint(self, process, name=PREVIOUS):
        self.wait_for(self.folder / name, process)

    def saved(self, what, name=CHECKPOINT):
        """generation or evaluations of a checkpoint."""
        with h5py.File(self.folder / name, "r") as file:
            return int(file.attrs[what])

    def end(self, folder="."):
        """Options that let the saved search come to its end soon."""
        newest = next(f"{folder}/{name}" for name in (CHECKPOINT, PREVIOUS) if (self.folder / folder / name).exists())
        return "--set", f"stop.evaluations={self.saved('evaluations', newest) + 50_000}"

    def resume(self, *end, output="search.h5", **options):
        run = self.atoll("de", "search.toml", "-o", output, "--resume", *end, **options)
        self.assertEqual(run.code, 0, run)
        return run

    def assert_same_bits_as_undisturbed(self, *end, output="search.h5"):
        undisturbed = self.atoll("de", "search.toml", "-o", "undisturbed.h5", "--force", *end)
        self.assertEqual(undisturbed.code, 0, undisturbed)
        command = [sys.executable, SOURCE / "scripts/compare_h5.py", self.folder / "undisturbed.h5",
                   self.folder / output]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def assert_goes_on_to_the_same_bits(self, **options):
        end = self.end()
        run = self.resume(*end, **options)
        self.assert_same_bits_as_undisturbed(*end)
        self.assertEqual({path.name for path in self.folder.iterdir()}, {"search.toml", "search.h5", "undisturbed.h5"})
        return run

    def moment(self, longest):
        time.sleep(self.random.uniform(0, longest))
