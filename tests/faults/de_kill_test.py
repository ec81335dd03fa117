#!/usr/bin/python3
"""Searches whose ranks are killed at random moments go on, with other ranks, to the bits of an undisturbed run.

ATOLL_FULL=1 or --full: 20 kills instead of 5.
"""

import os
import signal

from atoll_test_tools import main, ranks_of
from de_search import CHECKPOINT, FULL, PREVIOUS, SearchTest, end


class KillTest(SearchTest):
    def a_checkpoint_is_left(self):
        return (self.folder / CHECKPOINT).exists() or (self.folder / PREVIOUS).exists()

    def assert_it_ended(self):
        """The whole result stands; it goes, so that the next round starts afresh."""
        self.assert_same_bits()
        (self.folder / "search.h5").unlink()

    def test_kill_nine_of_a_random_rank_then_other_ranks_give_the_same_bits(self):
        self.undisturbed()
        kills = 20 if FULL else 5
        done = 0
        while done < kills:
            ranks = self.random.randint(1, 4)
            process = self.search("--resume", ranks=ranks)
            self.wait_for_checkpoint(process)
            self.moment()
            pids = ranks_of(process)
            if pids:
                os.kill(self.random.choice(pids), signal.SIGKILL)
            run = end(process)
            self.assertIn(run.code, (0, 137), run)
            if not self.a_checkpoint_is_left():  # it was faster than the kill, which may have left a lock
                self.assert_it_ended()
                continue
            self.assertEqual(run.code, 137, run)
            done += 1
            if done % 2 == 1:  # else the next round goes on from here, and is killed too
                self.resume(ranks=ranks % 4 + 1)
                self.assert_only_the_result_is_left()
                self.assert_it_ended()
        self.resume()
        self.assert_it_ended()


main()
