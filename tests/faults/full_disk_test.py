#!/usr/bin/python3
"""Searches and sweeps whose output folder is full: a clear message, code 74, and nothing lost."""

import os
import pathlib
import signal
import unittest

import numpy
import small_disk
from atoll_test_tools import AtollTest, finish, main, wait_until
from de_search import CHECKPOINT, PREVIOUS, SearchTest


class FullDiskTest(SearchTest):
    def mount(self, size):
        self.disk = self.folder / "disk"
        small_disk.mount(self, self.disk, size)

    def test_too_small_is_told_before_the_run(self):
        self.mount("200k")

        run = self.atoll("de", "search.toml", "-o", "disk/search.h5")

        self.assert_refused(run, 74, "disk/search.h5:", "of space are left in its folder", "need about")
        self.assertEqual(list(self.disk.iterdir()), [])

    def searching(self, **options):
        """A search that has saved itself twice, and then has not a page left."""
        self.mount("16m")
        process = self.start("de", "search.toml", "-o", "disk/search.h5", "--checkpoint-every", "50ms", **options)
        self.wait_for(self.disk / PREVIOUS, process)
        small_disk.fill(self.disk)
        return process

    def assert_it_ends_after_space_is_made(self, **options):
        self.assertEqual({path.name for path in self.disk.iterdir()}, {"filler", CHECKPOINT, PREVIOUS})
        (self.disk / "filler").unlink()
        end = self.end("disk")

        self.resume(*end, output="disk/search.h5", **options)

        self.assert_same_bits_as_undisturbed(*end, output="disk/search.h5")

    def test_full_on_the_way_keeps_a_checkpoint_and_the_search_goes_on(self):
        with open(self.folder / "err", "w", encoding="utf-8") as err:
            process = self.searching(err=err)
        told = "No space left on device; the search goes on, and the checkpoint before this one stays"
        wait_until(lambda: told in (self.folder / "err").read_text() or process.poll() is not None, what=told)
        self.assertIsNone(process.poll(), (self.folder / "err").read_text())
        os.kill(process.pid, signal.SIGUSR1)

        run = finish(process)

        self.assertEqual(run.code, 74, run)
        said = (self.folder / "err").read_text()
        self.assertIn("atoll: cannot write disk/search.h5: No space left on device", said)
        self.assertIn("--resume goes on from disk/search.checkpoint.h5", said)
        self.assert_it_ends_after_space_is_made(ranks=2)

    def test_full_at_a_stop_is_an_error_and_the_checkpoint_before_stays(self):
        process = self.searching(ranks=2)
        os.kill(process.pid, signal.SIGUSR2)

        run = finish(process)

        self.assertEqual(run.code, 74, run)
        self.assertIn("--resume goes on from", run.err)
        self.assertNotIn("SIG", run.err)  # no crash at the exit
        self.assert_it_ends_after_space_is_made()


SWEEP = """[data]
file = "points.csv"
[sweep]
neurons = "2..20"
epochs = 2
"""


class FullDiskOfASweepTest(AtollTest):
    """A sweep that was stopped between two maps, and then has only a page left: for the lock."""

    def setUp(self):
        super().setUp()
        self.disk = self.folder / "disk"
        small_disk.mount(self, self.disk, "2m")
        numpy.savetxt(self.folder / "points.csv", numpy.random.default_rng(1).uniform(size=(1000, 3)), delimiter=",")
        self.write("sweep.toml", SWEEP)
        stopped = self.sweep("--max-time", "1ms")
        self.assertEqual(stopped.code, 75, stopped)
        self.partial = self.disk / "sweep.h5.partial"

    def sweep(self, *arguments):
        return self.atoll("som", "sweep.toml", "-o", "disk/sweep.h5", *arguments)

    def fill(self):
        small_disk.fill(self.disk)
        filler = self.disk / "filler"
        os.truncate(filler, filler.stat().st_size - 4096)

    def assert_it_ends(self):
        run = self.sweep("--resume")
        self.assertEqual(run.code, 0, run)
        with self.open("disk/sweep.h5") as result:
            self.assertEqual(result.attrs["state"], "finished")
            self.assertTrue((result["runs/state"][()] == 1).all())

    def test_its_room_was_taken_at_the_start(self):
        self.fill()

        self.assert_it_ends()

    def test_without_its_room_it_is_told_and_nothing_is_lost(self):
        os.truncate(self.partial, self.partial.stat().st_size)  # gives back what was reserved behind the end
        self.fill()

        full = self.sweep("--resume")

        self.assert_refused(full, 74, "cannot write disk/sweep.h5.partial: No space left on device")
        self.assertNotIn("SIG", full.err)
        shown = self.atoll("show", "disk/sweep.h5.partial")
        self.assertEqual(shown.code, 0, shown)
        (self.disk / "filler").unlink()
        self.assert_it_ends()


class FolderTest(SearchTest):
    def test_a_missing_folder_is_told_at_once(self):
        run = self.atoll("de", "search.toml", "-o", "nowhere/search.h5", ranks=2)

        self.assert_refused(run, 74, "the folder nowhere does not exist")

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_a_folder_that_cannot_be_written_is_told_at_once(self):
        closed = pathlib.Path(self.folder / "closed")
        closed.mkdir(mode=0o500)

        run = self.atoll("de", "search.toml", "-o", "closed/search.h5")

        self.assert_refused(run, 74, "cannot be written")


main()
