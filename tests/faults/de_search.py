"""A search of some seconds, and what the fault tests ask of it."""

import os
import random
import subprocess
import sys
import time

import h5py

from atoll_test_tools import SOURCE, AtollTest, finish, wait_until

FULL = bool(os.environ.get("ATOLL_FULL")) or "--full" in sys.argv  # the whole study, some minutes
if "--full" in sys.argv:
    sys.argv.remove("--full")

PROBLEM = """[problem]
benchmark = "rastrigin"
[parameters]
p = {{ min = -5.12, max = 5.12, size = 10 }}
[algorithm]
name = "{algorithm}"
population = 60
[islands]
count = 24
[migration]
interval = 37
first = 90
topology = "{topology}"
[stop]
evaluations = {evaluations}
[run]
polish = false
"""
CHECKPOINT = "search.checkpoint.h5"
PREVIOUS = "search.checkpoint.previous.h5"
_undisturbed = {}  # bytes of the result, by problem


class SearchTest(AtollTest):
    """search.toml in the test's folder, and the result of an undisturbed run of it in undisturbed.h5."""

    algorithm, topology, evaluations = "jso", "ring", 600_000

    def setUp(self):
        super().setUp()
        self.write("search.toml", PROBLEM.format(algorithm=self.algorithm, topology=self.topology,
                                                 evaluations=self.evaluations))
        self.random = random.Random(self.id())

    def undisturbed(self):
        problem = (self.folder / "search.toml").read_text()
        if problem not in _undisturbed:  # one run serves all tests of the file
            run = self.atoll("de", "search.toml", "-o", "undisturbed.h5")
            self.assertEqual(run.code, 0, run)
            _undisturbed[problem] = (self.folder / "undisturbed.h5").read_bytes()
        (self.folder / "undisturbed.h5").write_bytes(_undisturbed[problem])

    def search(self, *arguments, **options):
        """A started search that saves itself often."""
        return self.start("de", "search.toml", "--checkpoint-every", "50ms", *arguments, **options)

    def wait_for_checkpoint(self, process, name=PREVIOUS):
        wait_until(lambda: (self.folder / name).exists() or process.poll() is not None, what=name)

    def resume(self, **options):
        run = self.atoll("de", "search.toml", "--resume", **options)
        self.assertEqual(run.code, 0, run)
        return run

    def assert_same_bits(self, first="undisturbed.h5", second="search.h5"):
        command = [sys.executable, SOURCE / "scripts/compare_h5.py", self.folder / first, self.folder / second]
        run = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def assert_only_the_result_is_left(self, *others):
        names = {path.name for path in self.folder.iterdir()}
        self.assertEqual(names, {"search.toml", "search.h5", "undisturbed.h5", *others})

    def generation(self, name=CHECKPOINT):
        with h5py.File(self.folder / name, "r") as file:
            return int(file.attrs["generation"])

    def moment(self, longest=2.5):
        time.sleep(self.random.uniform(0, longest))


def end(process):
    """Waits for a search whose end is not in question."""
    return finish(process)
