#!/usr/bin/python3
"""Sweeps whose ranks are killed at random moments go on, with other ranks, to the bits of an undisturbed run.

ATOLL_FULL=1 or --full: 20 kills instead of 5.
"""

import contextlib
import os
import random
import signal
import subprocess
import sys
import time

import numpy

from atoll_test_tools import SOURCE, AtollTest, finish, main, ranks_of, wait_until
from de_search import FULL

SWEEP = """[data]
file = "points.csv"
[sweep]
neurons = "20..59"
sigma = 5
epochs = {epochs}
replicates = 4
[run]
precision = "double"
"""


class SweepKillTest(AtollTest):
    def setUp(self):
        super().setUp()
        numpy.savetxt(self.folder / "points.csv", numpy.random.default_rng(1).uniform(size=(1500, 3)), delimiter=",",
                      fmt="%.17g")
        self.random = random.Random(1)
        self.partial = self.folder / "sweep.h5.partial"

    def undisturbed(self):
        """Seconds of a sweep that is long enough on this machine for kills to find it at work."""
        for epochs in (300 * 2**doublings for doublings in range(20)):
            self.write("sweep.toml", SWEEP.format(epochs=epochs))
            run = self.atoll("som", "sweep.toml", "-o", "undisturbed.h5", "--force")
            self.assertEqual(run.code, 0, run)
            if run.seconds > 4:
                return run.seconds
        raise AssertionError("no sweep is long enough")

    def assert_same_bits(self):
        command = [sys.executable, SOURCE / "scripts/compare_h5.py", self.folder / "undisturbed.h5",
                   self.folder / "sweep.h5"]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def killed(self, ranks, longest):
        """True for a sweep that a kill left unfinished; the whole result of one that was faster goes."""
        process = self.start("som", "sweep.toml", "--resume", ranks=ranks)
        wait_until(lambda: (self.partial.exists() and len(ranks_of(process)) == ranks) or process.poll() is not None,
                   what="the partial file")
        time.sleep(self.random.uniform(0, longest))
        with contextlib.suppress(IndexError, ProcessLookupError):  # it has ended
            os.kill(self.random.choice(ranks_of(process)), signal.SIGKILL)
        run = finish(process)
        if self.partial.exists():
            self.assertEqual(run.code, 137, run)
            return True
        self.assertIn(run.code, (0, 137), run)  # 137: killed between the written result and the end
        self.assert_it_ended()
        return False

    def assert_it_ended(self):
        self.assert_same_bits()
        (self.folder / "sweep.h5").unlink()

    def resume(self, ranks):
        run = self.atoll("som", "sweep.toml", "--resume", ranks=ranks)
        self.assertEqual(run.code, 0, run)
        self.assert_it_ended()

    def test_kill_nine_of_a_random_rank_then_other_ranks_give_the_same_bits(self):
        longest = self.undisturbed() / 2
        kills = 20 if FULL else 5
        done = 0
        while done < kills:
            ranks = self.random.randint(1, 4)
            if not self.killed(ranks, longest):
                continue
            done += 1
            if done % 2 == 1 or done == kills:  # else the next one goes on from here, and is killed too
                self.resume(ranks % 4 + 1)


main()
