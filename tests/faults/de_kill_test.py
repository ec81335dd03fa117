#!/usr/bin/python3
"""Searches whose ranks are killed at random moments go on, with other ranks, to the bits of an undisturbed run.

ATOLL_FULL=1 or --full: 20 kills instead of 5.
"""

import os
import signal

from atoll_test_tools import main, ranks_of
from de_search import CHECKPOINT, FULL, PREVIOUS, SearchTest, end


class KillTest(SearchTest):
    def test_kill_nine_of_a_random_rank_then_other_ranks_give_the_same_bits(self):
        self.undisturbed()
        kills = 20 if FULL else 5
        done = 0
        while done < kills:
            ranks = self.random.randint(1, 4)
            process = self.search("--resume", "--force", ranks=ranks)
            self.wait_for_checkpoint(process)
            self.moment()
            pids = ranks_of(process)
            if pids:
                os.kill(self.random.choice(pids), signal.SIGKILL)
                done += 1
            run = end(process)
            if run.code == 0:  # it was faster than the kill, or there was nobody left to kill
                self.assert_same_bits()
                continue
            self.assertEqual(run.code, 137, run)
            self.assertTrue((self.folder / CHECKPOINT).exists() or (self.folder / PREVIOUS).exists(), run)
            if done % 2 == 1:  # else the next round goes on from here, and is killed too
                self.resume(ranks=ranks % 4 + 1)
                self.assert_same_bits()
                self.assert_only_the_result_is_left()
        self.atoll("de", "search.toml", "--resume", "--quiet")
        self.assert_same_bits()
        self.assert_only_the_result_is_left()


main()
