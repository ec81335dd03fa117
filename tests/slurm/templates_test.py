#!/usr/bin/python3
"""The batch scripts of slurm/ under a real Slurm: time limits, lost nodes, what is requeued and what is not."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

from atoll_test_tools import BINARY, SOURCE, environment, main, run_atoll
from private_slurm import PrivateSlurm, missing

REASON = missing()
if REASON:
    print(f"Skipped: {REASON}")
    sys.exit(0)

SEARCH = """[problem]
benchmark = "rastrigin"
[parameters]
p = { min = -5.12, max = 5.12, size = 10 }
[algorithm]
population = 60
[islands]
count = 24
[migration]
interval = 37
[stop]
evaluations = 600_000
[run]
polish = false
"""
SWEEP = """[data]
file = "points.csv"
[sweep]
neurons = "20..59"
sigma = 5
epochs = 400
replicates = 4
[run]
precision = "double"
"""
TWO_NODES = ("--nodes=2", "--ntasks-per-node=1", "--gpus-per-node=1", "--cpus-per-task=1", "--time=10")


class TemplatesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.base = pathlib.Path(tempfile.mkdtemp(prefix="atoll-slurm-"))
        cls.base.chmod(0o755)  # munge insists
        cls.addClassCleanup(shutil.rmtree, cls.base, ignore_errors=True)
        cls.slurm = PrivateSlurm(cls.base / "slurm")
        program = cls.base / "bin/atoll"
        program.parent.mkdir()
        program.symlink_to(BINARY)
        cls.slurm.environment = {**environment(), **cls.slurm.environment,
                                 "PATH": f"{program.parent}:{cls.slurm.environment['PATH']}",
                                 "OMPI_MCA_rmaps_base_oversubscribe": "1",
                                 "OMPI_MCA_btl_tcp_if_include": "lo",  # both nodes are this machine
                                 "OMPI_MCA_oob_tcp_if_include": "lo"}
        for name in ("OMPI_MCA_pml", "OMPI_MCA_btl", "OMPI_MCA_btl_vader_single_copy_mechanism"):
            cls.slurm.environment.pop(name, None)  # of single-node tests
        cls.addClassCleanup(cls.slurm.stop)
        cls.slurm.start()
        (cls.base / "search.toml").write_text(SEARCH)
        undisturbed = run_atoll("de", "search.toml", "-o", "undisturbed.h5", folder=cls.base)
        assert undisturbed.code == 0, undisturbed

    def setUp(self):
        self.folder = self.base / self.id().rpartition(".")[2]
        self.folder.mkdir()
        (self.folder / "search.toml").write_text(SEARCH)

    def submit_search(self, *options, script="de.sbatch", more=()):
        return self.slurm.submit(*TWO_NODES, *options, SOURCE / "slurm" / script, "search.toml", "search.h5",
                                 "--checkpoint-every", "100ms", *more, folder=self.folder)

    def wait_for(self, name, job):
        try:
            self.slurm.wait_until(lambda: (self.folder / name).exists() or self.ended(job), 60, name)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.told(job)}") from None

    def ended(self, job):
        return self.slurm.job(job)["JobState"] in ("COMPLETED", "FAILED")

    def log(self, job):
        return "\n".join(path.read_text() for path in self.folder.glob(f"*-{job}*.log"))

    def told(self, job):
        return f"{self.slurm.job(job)}\n{self.log(job)}\n{self.slurm.logs()}"

    def assert_same_bits(self, first, second):
        run = subprocess.run([sys.executable, SOURCE / "scripts/compare_h5.py", first, second], capture_output=True,
                             text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def assert_finished(self, job, restarts):
        """`restarts` of them, or more after a lost node: Slurm may trip over a node that has just come back."""
        end = self.slurm.wait_for_end(job)
        self.assertEqual((end["JobState"], end["ExitCode"]), ("COMPLETED", "0:0"), self.told(job))
        self.assertIn(int(end["Restarts"]), restarts, self.told(job))

    def test_the_signal_before_the_limit_leads_to_a_second_leg_with_the_same_bits(self):
        job = self.submit_search()
        self.wait_for("search.checkpoint.h5", job)
        self.slurm.command("scancel", "--signal=USR1", "--batch", job)  # what --signal=B:USR1@120 does

        self.assert_finished(job, restarts=[1])

        self.assertIn("atoll ended with 75 after start 1; the job goes back into the queue", self.log(job))
        self.assertIn("resumes from search.checkpoint.h5", self.log(job))
        self.assert_same_bits(self.base / "undisturbed.h5", self.folder / "search.h5")

    def test_a_lost_node_leads_to_a_second_leg_with_the_same_bits(self):
        job = self.submit_search()
        self.wait_for("search.checkpoint.h5", job)
        self.slurm.kill_node(2)
        self.slurm.wait_until(lambda: int(self.slurm.job(job)["Restarts"]) == 1 or self.ended(job), 120, "a requeue")
        self.slurm.wait_until(lambda: self.slurm.state_of(2).startswith("down"), 60, "Slurm noticing that node2 is lost")
        self.slurm.start_node(2)

        self.assert_finished(job, restarts=range(1, 5))

        self.assert_same_bits(self.base / "undisturbed.h5", self.folder / "search.h5")

    def test_what_would_only_happen_again_is_not_requeued(self):
        (self.folder / "search.toml").write_text(SEARCH.replace("rastrigin", "rastrigim"))

        job = self.submit_search()

        end = self.slurm.wait_for_end(job)
        self.assertEqual((end["JobState"], end["ExitCode"], end["Restarts"]), ("FAILED", "78:0", "0"), self.told(job))

    def test_an_output_in_use_is_not_requeued(self):
        lock = self.folder / "search.h5.lock"
        lock.write_text("host elsewhere\npid 1\njob 1\nrestarts 0\n")

        job = self.submit_search()

        end = self.slurm.wait_for_end(job)
        self.assertEqual((end["JobState"], end["ExitCode"], end["Restarts"]), ("FAILED", "74:0", "0"), self.told(job))
        self.assertIn("is being written by another run: process 1 on elsewhere, Slurm job 1", self.log(job))

    def test_the_number_of_starts_is_bounded(self):
        script = self.folder / "de.sbatch"
        script.write_text((SOURCE / "slurm/de.sbatch").read_text().replace("most_starts=50", "most_starts=1"))
        job = self.slurm.submit(*TWO_NODES, script, "search.toml", "search.h5", "--max-time", "2s",
                                "--set", "stop.evaluations=100_000_000", folder=self.folder)

        end = self.slurm.wait_for_end(job)

        self.assertEqual((end["JobState"], end["ExitCode"], end["Restarts"]), ("FAILED", "75:0", "1"), self.told(job))

    def test_srun_in_place_of_mpirun(self):
        script = self.folder / "de.sbatch"
        text = (SOURCE / "slurm/de.sbatch").read_text()
        script.write_text(text.replace("launch=(mpirun --bind-to none) ", "launch=(srun --mpi=pmix) "))
        job = self.slurm.submit(*TWO_NODES, script, "search.toml", "search.h5", "--checkpoint-every", "100ms",
                                folder=self.folder)
        self.wait_for("search.checkpoint.h5", job)
        self.slurm.command("scancel", "--signal=USR1", "--batch", job)

        self.assert_finished(job, restarts=[1])

        self.assert_same_bits(self.base / "undisturbed.h5", self.folder / "search.h5")

    def test_a_sweep_goes_on_after_the_limit(self):
        points = "\n".join(f"{i % 17},{i % 29},{i % 11}" for i in range(1500))
        (self.folder / "points.csv").write_text("x,y,z\n" + points + "\n")
        (self.folder / "sweep.toml").write_text(SWEEP)
        job = self.slurm.submit(*TWO_NODES, SOURCE / "slurm/som.sbatch", "sweep.toml", "sweep.h5", folder=self.folder)
        self.wait_for("sweep.h5.partial", job)
        time.sleep(1)
        if not self.ended(job):
            self.slurm.command("scancel", "--signal=USR1", "--batch", job)

        self.assert_finished(job, restarts=[1])

        undisturbed = run_atoll("som", "sweep.toml", "-o", "undisturbed.h5", folder=self.folder)
        self.assertEqual(undisturbed.code, 0, undisturbed)
        self.assert_same_bits(self.folder / "undisturbed.h5", self.folder / "sweep.h5")

    def test_an_array_runs_one_problem_a_task(self):
        for name in ("a", "b"):
            (self.folder / f"{name}.toml").write_text(SEARCH.replace("600_000", "20_000"))
        job = self.slurm.submit("--array=0-1", "--cpus-per-task=1", "--time=10", SOURCE / "slurm/array.sbatch", "a.toml",
                                "b.toml", folder=self.folder)

        self.slurm.wait_until(lambda: self.slurm.command("squeue", "-h", "-j", job) == "", 180, "both tasks")

        self.assert_same_bits(self.folder / "a.h5", self.folder / "b.h5")
        self.assertEqual(len(list(self.folder.glob("atoll-array-*.log"))), 2)


if __name__ == "__main__":
    os.umask(0o022)
    main()
