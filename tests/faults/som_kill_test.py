#!/usr/bin/python3
"""Sweeps whose ranks are killed at random moments go on, with other ranks, to the bits of an undisturbed run.

ATOLL_FULL=1 or --full: 20 kills instead of 5.
"""

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
epochs = 300
replicates = 4
[run]
precision = "double"
"""


class SweepKillTest(AtollTest):
    def setUp(self):
        super().setUp()
        numpy.savetxt(self.folder / "points.csv", numpy.random.default_rng(1).uniform(size=(1500, 3)), delimiter=",",
                      fmt="%.17g")
        self.write("sweep.toml", SWEEP)
        self.random = random.Random(1)

    def assert_same_bits(self):
        command = [sys.executable, SOURCE / "scripts/compare_h5.py", self.folder / "undisturbed.h5",
                   self.folder / "sweep.h5"]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def test_kill_nine_of_a_random_rank_then_other_ranks_give_the_same_bits(self):
        whole = self.atoll("som", "sweep.toml", "-o", "undisturbed.h5")
        self.assertEqual(whole.code, 0, whole)
        partial = self.folder / "sweep.h5.partial"
        done = 0
        while done < (20 if FULL else 5):
            ranks = self.random.randint(1, 4)
            process = self.start("som", "sweep.toml", "--resume", ranks=ranks)
            wait_until(lambda p=process: partial.exists() or p.poll() is not None, what="the partial file")
            time.sleep(self.random.uniform(0, 2))
            pids = ranks_of(process)
            if pids:
                os.kill(self.random.choice(pids), signal.SIGKILL)
                done += 1
            run = finish(process)
            self.assertIn(run.code, (0, 137), run)
            if run.code == 137 and done % 2 == 1:  # else the next round goes on from here, and is killed too
                resumed = self.atoll("som", "sweep.toml", "--resume", ranks=ranks % 4 + 1)
                self.assertEqual(resumed.code, 0, resumed)
            if not partial.exists():
                self.assert_same_bits()
                (self.folder / "sweep.h5").unlink()
        self.assertEqual(self.atoll("som", "sweep.toml", "--resume").code, 0)
        self.assert_same_bits()


main()
