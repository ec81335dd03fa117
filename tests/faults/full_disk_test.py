#!/usr/bin/python3
"""Searches and sweeps whose output folder is full: a clear message, code 74, and nothing lost."""

import os
import pathlib
import subprocess
import unittest

from atoll_test_tools import finish, main, wait_until
from de_search import CHECKPOINT, PREVIOUS, SearchTest


class FullDiskTest(SearchTest):
    def setUp(self):
        super().setUp()
        self.disk = self.folder / "disk"
        self.disk.mkdir()

    def mount(self, size):
        """A file system of this size at self.disk."""
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "atoll-test", self.disk],
                                 capture_output=True, text=True)
        if mounted.returncode != 0:
            self.skipTest(f"cannot mount a tmpfs here (needs root): {mounted.stderr.strip()}")
        self.addCleanup(subprocess.run, ["umount", "-l", self.disk], check=True)

    def fill(self):
        """Not one free page."""
        with open(self.disk / "filler", "wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(4096))
            except OSError:
                pass

    def test_too_small_is_told_before_the_run(self):
        self.mount("200k")

        run = self.atoll("de", "search.toml", "-o", "disk/search.h5")

        self.assert_refused(run, 74, "disk/search.h5:", "of space are left in its folder", "need about")
        self.assertEqual(list(self.disk.iterdir()), [])

    def test_full_on_the_way_keeps_a_checkpoint_and_the_run_ends_after_space_is_made(self):
        self.mount("4m")
        self.undisturbed()
        process = self.start("de", "search.toml", "-o", "disk/search.h5", "--checkpoint-every", "50ms")
        wait_until(lambda: (self.disk / PREVIOUS).exists() or process.poll() is not None, what="a checkpoint")
        self.fill()

        run = finish(process)

        self.assertEqual(run.code, 74, run)
        self.assertIn("No space left on device; the search goes on, and the checkpoint before this one stays", run.err)
        self.assertIn("atoll: cannot write disk/search.h5: No space left on device", run.err)
        self.assertIn("--resume goes on from disk/search.checkpoint.h5", run.err)
        self.assertNotIn("SIG", run.err)  # no crash at the exit
        self.assertEqual({path.name for path in self.disk.iterdir()}, {"filler", CHECKPOINT, PREVIOUS})

        (self.disk / "filler").unlink()
        resumed = self.atoll("de", "search.toml", "-o", "disk/search.h5", "--resume", ranks=2)

        self.assertEqual(resumed.code, 0, resumed)
        self.assert_same_bits(second="disk/search.h5")

    def test_full_at_a_stop_is_an_error_and_the_checkpoint_before_stays(self):
        self.mount("4m")
        self.undisturbed()
        process = self.start("de", "search.toml", "-o", "disk/search.h5", "--checkpoint-every", "50ms", ranks=2)
        wait_until(lambda: (self.disk / PREVIOUS).exists() or process.poll() is not None, what="a checkpoint")
        self.fill()
        os.kill(process.pid, 12)  # USR2

        run = finish(process)

        self.assertEqual(run.code, 74, run)
        self.assertIn("--resume goes on from", run.err)
        (self.disk / "filler").unlink()
        resumed = self.atoll("de", "search.toml", "-o", "disk/search.h5", "--resume")
        self.assertEqual(resumed.code, 0, resumed)
        self.assert_same_bits(second="disk/search.h5")


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
