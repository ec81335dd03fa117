#!/usr/bin/python3
"""Searches whose ranks are killed at random moments go on, with other ranks, to the bits of an undisturbed run.

ATOLL_FULL=1 or --full: 20 kills instead of 5.
"""

import os
import shutil
import signal

from atoll_test_tools import finish, main, ranks_of, wait_until
from de_search import CHECKPOINT, FULL, SearchTest


class KillTest(SearchTest):
    def kill_a_rank(self, ranks):
        process = self.search("--resume", ranks=ranks)
        self.wait_for_checkpoint(process)  # one is there at once where the search goes on: then its start is disturbed
        wait_until(lambda: len(ranks_of(process)) == ranks or process.poll() is not None, what="the ranks")
        self.moment(1.5)
        os.kill(self.random.choice(ranks_of(process)), signal.SIGKILL)
        run = finish(process)
        self.assertEqual(run.code, 137, run)

    def test_kill_nine_of_a_random_rank_then_other_ranks_give_the_same_bits(self):
        kills = 20 if FULL else 5
        for kill in range(kills):
            ranks = self.random.randint(1, 4)
            self.kill_a_rank(ranks)
            if kill % 2 == 1 and kill < kills - 1:  # the next one goes on from here, and is killed too
                continue
            self.assert_goes_on_to_the_same_bits(ranks=ranks % 4 + 1)
            (self.folder / "search.h5").unlink()

    def test_a_kill_between_the_written_result_and_the_end_loses_nothing(self):
        self.stopped_at_once()
        shutil.copy(self.folder / CHECKPOINT, self.folder / "copy")
        end = self.end()
        self.resume(*end)
        os.rename(self.folder / "copy", self.folder / CHECKPOINT)

        self.resume(*end, ranks=2)

        self.assert_same_bits_as_undisturbed(*end)
        self.assertFalse((self.folder / CHECKPOINT).exists())


main()
