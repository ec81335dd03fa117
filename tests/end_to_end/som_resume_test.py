#!/usr/bin/python3
"""Sweeps that are stopped, killed or damaged, and go on; outputs that must not be touched."""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

import h5py
import numpy

from atoll_test_tools import SOURCE, AtollTest, finish, main, ranks_of, run_atoll, wait_until

SWEEP = """[data]
file = "points.csv"
[sweep]
neurons = "20..79"
sigma = 5
epochs = {epochs}
replicates = 4
[run]
precision = "double"
"""
PARTIAL = "sweep.h5.partial"


def write_inputs(folder, epochs):
    x = numpy.random.default_rng(1).uniform(size=(2000, 3))
    numpy.savetxt(folder / "points.csv", x, delimiter=",", fmt="%.17g")
    (folder / "sweep.toml").write_text(SWEEP.format(epochs=epochs))


class ResumeTest(AtollTest):
    @classmethod
    def setUpClass(cls):
        cls.reference = pathlib.Path(tempfile.mkdtemp(prefix="atoll reference "))
        cls.addClassCleanup(shutil.rmtree, cls.reference, ignore_errors=True)
        cls.epochs, seconds = 300, 0
        while seconds < 4:  # many maps that take some seconds on this machine, so that a signal finds it at work
            cls.epochs *= 2
            write_inputs(cls.reference, cls.epochs)
            run = run_atoll("som", "sweep.toml", "--force", folder=cls.reference)
            if run.code != 0:
                raise AssertionError(run)
            seconds = run.seconds

    def setUp(self):
        super().setUp()
        write_inputs(self.folder, self.epochs)

    def finished_maps(self):
        try:
            with h5py.File(self.folder / PARTIAL, "r") as file:
                return int((file["runs/state"][()] == 1).sum())
        except OSError:  # not laid out yet
            return 0

    def assert_equals_the_undisturbed(self):
        # The data's path is part of the recorded configuration, and the folders differ.
        run = subprocess.run([sys.executable, SOURCE / "scripts/compare_h5.py", "--ignore", "/@config",
                              self.reference / "sweep.h5", self.folder / "sweep.h5"], capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def start_and_wait(self, ranks=None, maps=5):
        process = self.start("som", "sweep.toml", ranks=ranks)
        wait_until(lambda: self.finished_maps() >= maps or process.poll() is not None, what=f"{maps} finished maps")
        return process

    def test_a_signal_keeps_what_is_finished_and_resume_gives_the_same_bits(self):
        for number in (signal.SIGUSR2, signal.SIGINT, signal.SIGTERM, signal.SIGUSR1):
            with self.subTest(signal=number.name):
                for path in (self.folder / "sweep.h5", self.folder / PARTIAL):
                    path.unlink(missing_ok=True)
                process = self.start_and_wait()
                os.kill(process.pid, number)
                stopped = finish(process)
                self.assertEqual(stopped.code, 75, stopped)
                kept = self.finished_maps()
                self.assertTrue(5 <= kept < 240, kept)

                resumed = self.atoll("som", "sweep.toml", "--resume")

                self.assertEqual(resumed.code, 0, resumed)
                self.assertIn(f"{240 - kept} maps in", resumed.out)
        self.assert_equals_the_undisturbed()

    def test_a_signal_to_one_rank_stops_all_and_other_ranks_can_resume(self):
        process = self.start_and_wait(ranks=3)
        os.kill(ranks_of(process)[-1], signal.SIGUSR2)
        stopped = finish(process)
        self.assertEqual(stopped.code, 75, stopped)

        resumed = self.atoll("som", "sweep.toml", "--resume", ranks=2)

        self.assertEqual(resumed.code, 0, resumed)
        self.assert_equals_the_undisturbed()

    def test_kill_nine_loses_no_finished_map(self):
        process = self.start_and_wait(maps=20)
        os.kill(process.pid, signal.SIGKILL)
        finish(process)
        kept = self.finished_maps()
        self.assertGreaterEqual(kept, 20)

        resumed = self.atoll("som", "sweep.toml", "--resume")

        self.assertEqual(resumed.code, 0, resumed)
        self.assertIn(f"{240 - kept} maps in", resumed.out)
        self.assert_equals_the_undisturbed()

    def test_a_damaged_map_is_trained_again(self):
        process = self.start_and_wait(maps=20)
        os.kill(process.pid, signal.SIGUSR2)
        finish(process)
        with h5py.File(self.folder / PARTIAL, "r+") as file:
            s = int(numpy.flatnonzero(file["runs/state"][()] == 1)[3])
            file["weights/values"][int(file["weights/offset"][s]), 1] += 1e-9

        resumed = self.atoll("som", "sweep.toml", "--resume")

        self.assertEqual(resumed.code, 0, resumed)
        self.assertIn("1 damaged map will be trained again", resumed.err)
        self.assert_equals_the_undisturbed()

    def test_the_time_limit_stops_with_75(self):
        stopped = self.atoll("som", "sweep.toml", "--max-time", "1ms")

        self.assertEqual(stopped.code, 75, stopped)
        self.assertIn("--max-time", stopped.err)
        self.assertTrue((self.folder / PARTIAL).exists())

    def test_a_changed_sweep_is_refused_saying_what_changed(self):
        self.atoll("som", "sweep.toml", "--max-time", "1ms")

        seed = self.atoll("som", "sweep.toml", "--resume", "--seed", "7")
        x = numpy.loadtxt(self.folder / "points.csv", delimiter=",")
        numpy.savetxt(self.folder / "points.csv", x + 0.001, delimiter=",", fmt="%.17g")
        data = self.atoll("som", "sweep.toml", "--resume")

        self.assert_refused(seed, 78, "run.seed: was 1, is 7")
        self.assert_refused(data, 78, "the data: was 2000 points")

    def test_an_unfinished_sweep_is_not_overwritten_by_accident(self):
        self.atoll("som", "sweep.toml", "--max-time", "1ms")

        again = self.atoll("som", "sweep.toml")

        self.assert_refused(again, 74, "--resume", "--force")

    def test_a_finished_result_is_never_replaced_without_force(self):
        small = ("--set", "sweep.neurons=3", "--set", "sweep.epochs=2")
        self.assertEqual(self.atoll("som", "sweep.toml", *small).code, 0)
        before = (self.folder / "sweep.h5").read_bytes()

        again = self.atoll("som", "sweep.toml", *small)
        resumed = self.atoll("som", "sweep.toml", *small, "--resume")
        other = self.atoll("som", "sweep.toml", *small, "--resume", "--seed", "2")

        self.assert_refused(again, 74, "--force")
        self.assertEqual(resumed.code, 0, resumed)
        self.assertIn("finished already", resumed.out)
        self.assert_refused(other, 78, "run.seed: was 1, is 2")
        self.assertEqual((self.folder / "sweep.h5").read_bytes(), before)
        self.assertEqual(self.atoll("som", "sweep.toml", *small, "--force", "--seed", "2").code, 0)

    def test_resume_without_anything_there_starts_and_says_so(self):
        run = self.atoll("som", "sweep.toml", "--resume", "--set", "sweep.neurons=3", "--set", "sweep.epochs=2")

        self.assertEqual(run.code, 0, run)
        self.assertIn("starts afresh", run.err)

    def test_an_input_is_never_the_output(self):
        with h5py.File(self.folder / "points.h5", "w") as file:
            file["x"] = numpy.eye(4)
        before = (self.folder / "points.h5").read_bytes()

        for name in ("points.h5", "sweep.toml"):
            run = self.atoll("som", "sweep.toml", "--set", "data.file=points.h5:/x", "-o", name, "--force")

            self.assert_refused(run, 64, "input")
        self.assertEqual((self.folder / "points.h5").read_bytes(), before)


main()
