#!/usr/bin/python3
"""Searches that are stopped by signals or the clock; outputs that belong to another run; damaged checkpoints."""

import os
import signal

import h5py

from atoll_test_tools import finish, main, ranks_of
from de_search import CHECKPOINT, PREVIOUS, SearchTest


class StopTest(SearchTest):
    def stop(self, process, number, pid=None):
        os.kill(pid or process.pid, number)
        run = finish(process)
        self.assertEqual(run.code, 75, run)
        return run

    def test_signals_at_random_moments_leave_a_checkpoint_that_gives_the_same_bits(self):
        for number in (signal.SIGUSR1, signal.SIGUSR2, signal.SIGTERM, signal.SIGINT):
            with self.subTest(signal=number.name):
                process = self.search("--force")
                self.wait_for_checkpoint(process, CHECKPOINT)
                self.moment(0.5)

                run = self.stop(process, number)

                self.assertIn("--resume goes on from search.checkpoint.h5", run.err)
                with h5py.File(self.folder / "search.h5") as file:
                    self.assertEqual(file.attrs["state"], "stopped")
                self.assert_goes_on_to_the_same_bits(ranks=2)

    def test_usr2_to_mpirun_stops_all_ranks(self):
        process = self.search(ranks=3)
        self.wait_for_checkpoint(process, CHECKPOINT)

        self.stop(process, signal.SIGUSR2)

        self.assert_goes_on_to_the_same_bits()

    def test_a_signal_to_one_rank_stops_all(self):
        process = self.search(ranks=2)
        self.wait_for_checkpoint(process, CHECKPOINT)

        self.stop(process, signal.SIGUSR1, ranks_of(process)[-1])

    def test_max_time_three_times_gives_the_same_bits(self):
        for ranks in (1, 2, 3):
            self.stopped_at_once("--resume", ranks=ranks)

        self.assert_goes_on_to_the_same_bits()


class OwnershipTest(SearchTest):
    def test_a_second_run_on_one_output_is_told_who_holds_it(self):
        first = self.search()
        self.wait_for_checkpoint(first, CHECKPOINT)

        second = self.atoll("de", "search.toml", "--force", ranks=2)

        self.assertIsNone(first.poll(), "the first is not disturbed")
        self.assert_refused(second, 74, f"search.h5 is being written by another run: process {first.pid} on")

    def test_an_unfinished_run_is_neither_replaced_nor_started_afresh_by_accident(self):
        self.stopped_at_once()

        self.assert_refused(self.atoll("de", "search.toml"), 74, "--resume goes on with it", "--force discards it")
        self.assert_refused(self.atoll("de", "search.toml", "--resume", "--seed", "2"), 78, "run.seed: was 1, is 2")
        self.assert_refused(self.atoll("de", "search.toml", "--resume", "--precision", "single"), 78,
                            'run.precision: was "double", is "single"')
        self.write("search.toml", (self.folder / "search.toml").read_text().replace("5.12, size", "5.11, size"))
        self.assert_refused(self.atoll("de", "search.toml", "--resume"), 78, "parameters.p")

    def test_resume_says_what_it_does(self):
        short = ("--set", "stop.evaluations=2000")
        nothing = self.atoll("de", "search.toml", "--resume", *short)
        self.assertEqual(nothing.code, 0, nothing)
        self.assertIn("there is no search.checkpoint.h5; the search starts afresh", nothing.err)

        again = self.atoll("de", "search.toml", "--resume", *short)

        self.assertEqual(again.code, 0, again)
        self.assertIn("search.h5 is finished already; nothing to do", again.out)

    def test_a_stopped_run_takes_another_budget(self):
        text = (self.folder / "search.toml").read_text()
        self.write("search.toml", text.replace("schedule_evaluations = 400_000\n", "").replace("1_000_000_000", "20_000"))
        self.stopped_at_once()

        longer = self.resume("--set", "stop.evaluations=25000")

        self.assertIn("a fresh run with the larger budget would differ", longer.err)
        with self.open("search.h5") as file:
            self.assertEqual(file.attrs["nfev"], 24 * 25_000)

    def test_a_larger_budget_within_a_given_schedule_differs_from_nothing(self):
        self.stopped_at_once()

        self.assertNotIn("would differ", self.assert_goes_on_to_the_same_bits().err)


class DamageTest(SearchTest):
    def setUp(self):
        super().setUp()
        process = self.search()
        self.wait_for_checkpoint(process)
        os.kill(process.pid, signal.SIGUSR1)
        self.assertEqual(finish(process).code, 75)

    def flip(self, name, at):
        data = bytearray((self.folder / name).read_bytes())
        data[at] ^= 1
        (self.folder / name).write_bytes(data)

    def test_damage_is_told_and_the_one_before_is_used(self):
        end = self.end()
        self.assertLess(self.saved("generation", PREVIOUS), self.saved("generation"))  # h5py reads both
        shown = self.atoll("show", CHECKPOINT)
        self.assertIn("differential evolution, unfinished", shown.out, shown)
        self.flip(CHECKPOINT, 5000)
        self.assertEqual(self.atoll("show", CHECKPOINT).code, 65)

        run = self.resume(*end)

        self.assertIn("search.checkpoint.h5 is damaged: its checksum does not match; going on from", run.err)
        self.assert_same_bits_as_undisturbed(*end)

    def test_two_damaged_ones_are_refused_and_kept(self):
        self.flip(CHECKPOINT, 5000)
        self.flip(PREVIOUS, 100)

        run = self.atoll("de", "search.toml", "--resume")

        self.assert_refused(run, 65, "search.checkpoint.h5 is damaged", "--force starts afresh")
        self.assertTrue((self.folder / CHECKPOINT).exists())


main()
