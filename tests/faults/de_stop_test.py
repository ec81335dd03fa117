#!/usr/bin/python3
"""Searches that are stopped by signals or the clock; outputs that belong to another run; damaged checkpoints."""

import os
import signal

import h5py

from atoll_test_tools import finish, main, ranks_of
from de_search import CHECKPOINT, PREVIOUS, SearchTest, end


class StopTest(SearchTest):
    def stopped(self, number, send, moment=0.0, **options):
        """A search that this signal stopped; a fast machine may need some attempts."""
        for _ in range(10):
            process = self.search("--force", **options)
            self.wait_for_checkpoint(process, CHECKPOINT)
            self.moment(moment)
            if process.poll() is None:
                send(process, number)
            run = finish(process)
            if run.code != 0:
                return run
        raise AssertionError("the search was always faster than the signal")

    def test_signals_at_random_moments_leave_a_checkpoint_that_gives_the_same_bits(self):
        self.undisturbed()
        for number in (signal.SIGUSR1, signal.SIGUSR2, signal.SIGTERM, signal.SIGINT):
            with self.subTest(signal=number.name):
                run = self.stopped(number, lambda process, it: os.kill(process.pid, it), moment=0.3)
                self.assertEqual(run.code, 75, run)
                self.assertIn("--resume goes on from search.checkpoint.h5", run.err)
                with h5py.File(self.folder / "search.h5") as file:
                    self.assertEqual(file.attrs["state"], "stopped")

                self.resume(ranks=2)

                self.assert_same_bits()
                self.assert_only_the_result_is_left()

    def test_usr2_to_mpirun_stops_all_ranks(self):
        self.undisturbed()
        run = self.stopped(signal.SIGUSR2, lambda process, it: os.kill(process.pid, it), ranks=3)
        self.assertEqual(run.code, 75, run)

        self.resume()

        self.assert_same_bits()

    def test_a_signal_to_one_rank_stops_all(self):
        run = self.stopped(signal.SIGUSR1, lambda process, it: [os.kill(pid, it) for pid in ranks_of(process)[-1:]],
                           ranks=2)

        self.assertEqual(run.code, 75, run)

    def test_max_time_three_times_gives_the_same_bits(self):
        self.undisturbed()
        codes = [self.atoll("de", "search.toml", "--resume", "--max-time", "600ms", ranks=n).code for n in (1, 2, 3)]
        self.assertLessEqual(set(codes), {0, 75})
        self.assertEqual(codes[0], 75)

        self.resume()

        self.assert_same_bits()


class OwnershipTest(SearchTest):
    def test_a_second_run_on_one_output_is_told_who_holds_it(self):
        first = self.search()
        self.wait_for_checkpoint(first, CHECKPOINT)
        self.assertIsNone(first.poll(), "the first was too fast for this test")
        os.kill(first.pid, signal.SIGSTOP)  # it shall not end meanwhile

        second = self.atoll("de", "search.toml", "--force", ranks=2)

        os.kill(first.pid, signal.SIGCONT)
        self.assert_refused(second, 74, f"search.h5 is being written by another run: process {first.pid} on")

    def test_an_unfinished_run_is_neither_replaced_nor_started_afresh_by_accident(self):
        stopped = self.atoll("de", "search.toml", "--max-time", "600ms", "--checkpoint-every", "50ms")
        self.assertEqual(stopped.code, 75, stopped)

        self.assert_refused(self.atoll("de", "search.toml"), 74, "--resume goes on with it", "--force discards it")
        self.assert_refused(self.atoll("de", "search.toml", "--resume", "--seed", "2"), 78, "run.seed: was 1, is 2")
        self.assert_refused(self.atoll("de", "search.toml", "--resume", "--precision", "single"), 78,
                            'run.precision: was "double", is "single"')
        self.write("search.toml", (self.folder / "search.toml").read_text().replace("5.12, size", "5.11, size"))
        self.assert_refused(self.atoll("de", "search.toml", "--resume"), 78, "parameters.p")

    def test_resume_says_what_it_does(self):
        short = ("--set", "stop.evaluations=2000", "--set", "algorithm.schedule_evaluations=600000")
        nothing = self.atoll("de", "search.toml", "--resume", *short)
        self.assertEqual(nothing.code, 0, nothing)
        self.assertIn("there is no search.checkpoint.h5; the search starts afresh", nothing.err)

        again = self.atoll("de", "search.toml", "--resume", *short)

        self.assertEqual(again.code, 0, again)
        self.assertIn("search.h5 is finished already; nothing to do", again.out)

    def test_a_stopped_run_takes_another_budget(self):
        stopped = self.atoll("de", "search.toml", "--max-time", "600ms")
        self.assertEqual(stopped.code, 75, stopped)

        longer = self.atoll("de", "search.toml", "--resume", "--set", f"stop.evaluations={self.evaluations + 5000}")

        self.assertEqual(longer.code, 0, longer)
        self.assertIn("a fresh run with the larger budget would differ", longer.err)
        with self.open("search.h5") as file:
            self.assertEqual(file.attrs["nfev"], 24 * (self.evaluations + 5000))


class DamageTest(SearchTest):
    def flip(self, name, at):
        data = bytearray((self.folder / name).read_bytes())
        data[at] ^= 1
        (self.folder / name).write_bytes(data)

    def test_damage_is_told_and_the_one_before_is_used(self):
        self.undisturbed()
        process = self.search()
        self.wait_for_checkpoint(process, PREVIOUS)
        os.kill(process.pid, signal.SIGUSR1)
        end(process)
        self.assertLess(self.generation(PREVIOUS), self.generation(CHECKPOINT))  # h5py reads both
        shown = self.atoll("show", CHECKPOINT)
        self.assertIn("differential evolution, unfinished", shown.out, shown)
        self.flip(CHECKPOINT, 5000)
        self.assertEqual(self.atoll("show", CHECKPOINT).code, 65)

        run = self.resume()

        self.assertIn("search.checkpoint.h5 is damaged: its checksum does not match; going on from", run.err)
        self.assert_same_bits()

    def test_two_damaged_ones_are_refused_and_kept(self):
        process = self.search()
        self.wait_for_checkpoint(process, PREVIOUS)
        os.kill(process.pid, signal.SIGUSR1)
        end(process)
        self.flip(CHECKPOINT, 5000)
        self.flip(PREVIOUS, 100)

        run = self.atoll("de", "search.toml", "--resume")

        self.assert_refused(run, 65, "search.checkpoint.h5 is damaged", "--force starts afresh")
        self.assertTrue((self.folder / CHECKPOINT).exists())


main()
