#!/usr/bin/python3
"""Finished searches and --resume: nothing to do, another search, a later end."""

import subprocess
import sys

from atoll_test_tools import SOURCE, AtollTest, main

PROBLEM = """[problem]
benchmark = "rastrigin"
[parameters]
p = { min = -5.12, max = 5.12, size = 6 }
[algorithm]
name = "classic"
population = 40
[islands]
count = 6
[migration]
interval = 15
topology = "ring"
[stop]
evaluations = 2_010
[run]
polish = false
"""
LATER = ("--set", "stop.evaluations=5000")
CHECKPOINT = "search.checkpoint.h5"


class FinishedTest(AtollTest):
    def setUp(self):
        super().setUp()
        self.write("search.toml", PROBLEM)

    def search(self, *arguments, **options):
        run = self.atoll("de", "search.toml", *arguments, **options)
        self.assertEqual(run.code, 0, run)
        return run

    def names(self):
        return {path.name for path in self.folder.iterdir()}

    def refuse(self, code, *texts, arguments=()):
        """Refused, and what is there stays as it is."""
        before = {path.name: path.read_bytes() for path in self.folder.iterdir()}
        self.assert_refused(self.atoll("de", "search.toml", *arguments), code, *texts)
        self.assertEqual({path.name: path.read_bytes() for path in self.folder.iterdir()}, before)

    def assert_same_bits(self, first, second):
        command = [sys.executable, SOURCE / "scripts/compare_h5.py", self.folder / first, self.folder / second]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def test_a_finished_search_is_left_alone_or_refused_with_the_reason(self):
        self.search()

        self.assertEqual(self.names(), {"search.toml", "search.h5"})
        self.assertIn("search.h5 is finished already; nothing to do", self.search("--resume").out)
        self.refuse(78, "search.h5 belongs to another search: run.seed: was 1, is 2", "--force starts afresh",
                    arguments=("--resume", "--seed", "2"))
        self.refuse(74, "search.h5 holds a finished run of 50 generations, 2,010 evaluations an island",
                    "stop.evaluations: was 2010, is 5000", "its checkpoint is gone: only --keep-checkpoint keeps it",
                    arguments=("--resume", *LATER))
        self.refuse(74, "search.h5 is a finished result; --force replaces it")
        self.assertIn("the search starts afresh", self.search("--resume", "--force", *LATER).err)

    def test_a_kept_search_is_extended_to_the_bits_of_one_long_run(self):
        self.search("-o", "long.h5", *LATER)
        self.assertIn(f"-> {CHECKPOINT}", self.search("--keep-checkpoint").out)
        self.assertEqual(self.names(), {"search.toml", "long.h5", "search.h5", CHECKPOINT})

        extended = self.search("--resume", *LATER, ranks=3)

        self.assertIn("stop.evaluations: was 2010, is 5000) and is extended", extended.err)
        self.assert_same_bits("long.h5", "search.h5")
        self.assertEqual(self.names(), {"search.toml", "long.h5", "search.h5", CHECKPOINT})  # once kept, always kept

    def test_a_search_is_extended_again_and_again(self):
        self.search("-o", "long.h5", *LATER)
        self.search("--keep-checkpoint", "--set", "stop.generations=7", ranks=2)
        for end in (["stop.generations=7000"], ["stop.evaluations=3333"], ["stop.evaluations=4000", "stop.value_to_reach=9.0"]):
            self.search("--resume", *(word for pair in end for word in ("--set", pair)))

        self.search("--resume", *LATER, ranks=2)

        self.assert_same_bits("long.h5", "search.h5")

    def test_the_schedule_of_a_jso_search_stays_when_it_is_extended(self):
        jso = ("--set", "algorithm.name=jso", "--set", "algorithm.schedule_evaluations=5000")
        self.search("-o", "long.h5", *jso, *LATER)
        self.search("--keep-checkpoint", *jso)

        self.search("--resume", *jso, *LATER, ranks=2)

        self.assert_same_bits("long.h5", "search.h5")

    def test_a_kept_search_is_as_finished_as_any_other(self):
        self.search("--keep-checkpoint")

        self.assertIn("search.h5 is finished already; nothing to do", self.search("--resume").out)
        self.assertIn(CHECKPOINT, self.names())
        self.refuse(74, "search.h5 is a finished result; --force replaces it")
        self.refuse(78, "run.seed: was 1, is 2", arguments=("--resume", "--seed", "2", *LATER))
        self.refuse(78, "a finished run can be extended, not made shorter",
                    arguments=("--resume", "--set", "stop.evaluations=1000"))
        self.search("--force")
        self.assertEqual(self.names(), {"search.toml", "search.h5"})

    def test_a_dry_run_says_what_resume_would_make_of_what_is_there(self):
        def planned(*arguments):
            before = {path.name: path.read_bytes() for path in self.folder.iterdir()}
            out = self.search("--dry-run", "--resume", *arguments).out
            self.assertEqual({path.name: path.read_bytes() for path in self.folder.iterdir()}, before)
            return out

        self.assertIn(f"there is no {CHECKPOINT}; the search starts afresh", planned())
        self.search("--keep-checkpoint")
        self.assertIn("search.h5 is finished already; nothing to do", planned())
        self.assertIn(f"resumes from {CHECKPOINT}: generation 49, 2,000 evaluations an island", planned(*LATER))
        self.assertNotIn("resume", self.search("--dry-run").out)
        self.refuse(78, "search.h5 belongs to another search", arguments=("--dry-run", "--resume", "--seed", "2"))

    def test_a_dry_run_lists_the_defaults_in_force(self):
        self.write("short.toml", PROBLEM.split("[algorithm]")[0])
        lines = {line.partition("=")[0].strip(): line for line in
                 self.atoll("de", "short.toml", "--dry-run").out.splitlines()}

        for key, value in (("algorithm.population", 110), ("algorithm.schedule_evaluations", 60_000),
                           ("stop.evaluations", 60_000)):
            self.assertRegex(lines[key], f"= {value} +# default$")
        self.assertNotIn("schedule_evaluations", self.search("--dry-run").out)  # classic has none

        kept = self.atoll("de", "short.toml", "--set", "stop.evaluations=2000", "--keep-checkpoint")
        self.assertEqual(kept.code, 0, kept)
        later = self.atoll("de", "short.toml", "--dry-run", "--resume", "--set", "stop.evaluations=3000")
        self.assertRegex(later.out, "algorithm.schedule_evaluations = 2000 +# default\n")  # the first leg's

    def test_a_kept_search_may_be_polished_later(self):
        self.search("--keep-checkpoint")
        with self.open("search.h5") as file:
            before = file["fun"][()]

        self.search("--resume", "--set", "run.polish=true")

        with self.open("search.h5") as file:
            self.assertEqual(file.attrs["fun_before_polish"], before)
            self.assertGreater(file.attrs["polish_nfev"], 0)

    def test_a_checkpoint_of_a_later_search_goes_before_an_earlier_result(self):
        self.search("--keep-checkpoint")
        kept = (self.folder / CHECKPOINT).read_bytes()
        stopped = self.atoll("de", "search.toml", "--force", "--max-time", "1ms", *LATER)
        self.assertEqual(stopped.code, 75, stopped)
        self.assertNotEqual((self.folder / CHECKPOINT).read_bytes(), kept)

        self.refuse(74, f"{CHECKPOINT} holds an unfinished run", "--resume goes on with it")
        self.assertIn(f"resumes from {CHECKPOINT}", self.search("--resume", *LATER).err)
        self.assertEqual(self.names(), {"search.toml", "search.h5"})


main()
