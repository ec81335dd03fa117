#!/usr/bin/python3
"""The batch scripts of slurm/ under a real Slurm: time limits, lost nodes, what is requeued and what is not.

Searches have no end of their own until they were disturbed, so that they are found at work on any machine.
"""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

import h5py
import small_disk
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
schedule_evaluations = 400_000
[islands]
count = 24
[migration]
interval = 37
[stop]
evaluations = 1_000_000_000
[run]
polish = false
"""
SWEEP = """[data]
file = "points.csv"
[sweep]
neurons = "20..59"
sigma = 5
epochs = {epochs}
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

    def setUp(self):
        self.folder = self.base / self.id().rpartition(".")[2]
        self.folder.mkdir()
        (self.folder / "search.toml").write_text(SEARCH)

    def submit_search(self, script=SOURCE / "slurm/de.sbatch", result="search.h5"):
        return self.slurm.submit(*TWO_NODES, script, "search.toml", result, "--checkpoint-every", "100ms",
                                 folder=self.folder)

    def wait_for(self, name, job):
        try:
            self.slurm.wait_until(lambda: (self.folder / name).exists() or self.ended(job), 600, name)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.told(job)}") from None
        self.assertFalse(self.ended(job), self.told(job))

    def wait_for_requeue(self, job):
        self.slurm.wait_until(lambda: int(self.slurm.job(job)["Restarts"]) == 1 or self.ended(job), 600, "a requeue")
        self.assertFalse(self.ended(job), self.told(job))

    def let_it_end(self, problem="search.toml", checkpoint="search.checkpoint.h5"):
        """The saved search comes to its end soon after its next start. Returns an undisturbed result of that end."""
        with h5py.File(self.folder / checkpoint) as file:
            end = int(file.attrs["evaluations"]) + 50_000
        (self.folder / problem).write_text(SEARCH.replace("1_000_000_000", str(end)))
        undisturbed = run_atoll("de", problem, "-o", "undisturbed.h5", folder=self.folder)
        self.assertEqual(undisturbed.code, 0, undisturbed)
        return self.folder / "undisturbed.h5"

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

    def assert_over(self, job, code, restarts=0):
        end = self.slurm.wait_for_end(job)
        self.assertEqual((end["JobState"], end["ExitCode"], end["Restarts"]), ("FAILED", f"{code}:0", str(restarts)),
                         self.told(job))

    def assert_finished(self, job, restarts):
        """`restarts` of them, or more after a lost node: Slurm may trip over a node that has just come back."""
        end = self.slurm.wait_for_end(job)
        self.assertEqual((end["JobState"], end["ExitCode"]), ("COMPLETED", "0:0"), self.told(job))
        self.assertIn(int(end["Restarts"]), restarts, self.told(job))

    def assert_goes_on_after_the_signal(self, job):
        self.wait_for("search.checkpoint.h5", job)
        self.slurm.command("scancel", "--signal=USR1", "--batch", job)  # what --signal=B:USR1@120 does
        self.wait_for_requeue(job)
        undisturbed = self.let_it_end()

        self.assert_finished(job, restarts=[1])

        self.assertIn("atoll ended with 75 after start 1; the job goes back into the queue", self.log(job))
        self.assertIn("resumes from search.checkpoint.h5", self.log(job))
        self.assert_same_bits(undisturbed, self.folder / "search.h5")

    def test_the_signal_before_the_limit_leads_to_a_second_leg_with_the_same_bits(self):
        self.assert_goes_on_after_the_signal(self.submit_search())

    def test_srun_in_place_of_mpirun(self):
        script = self.folder / "de.sbatch"
        text = (SOURCE / "slurm/de.sbatch").read_text()
        script.write_text(text.replace("launch=(mpirun --bind-to none) ", "launch=(srun --mpi=pmix) "))

        self.assert_goes_on_after_the_signal(self.submit_search(script))

    def test_a_lost_node_leads_to_a_second_leg_with_the_same_bits(self):
        job = self.submit_search()
        self.wait_for("search.checkpoint.h5", job)
        self.slurm.kill_node(2)
        self.wait_for_requeue(job)
        undisturbed = self.let_it_end()
        self.slurm.wait_until(lambda: self.slurm.state_of(2).startswith("down"), 600, "Slurm noticing that node2 is lost")
        self.slurm.start_node(2)

        self.assert_finished(job, restarts=range(1, 5))

        self.assert_same_bits(undisturbed, self.folder / "search.h5")

    def test_a_configuration_error_is_not_requeued(self):
        (self.folder / "search.toml").write_text(SEARCH.replace("rastrigin", "rastrigim"))

        job = self.submit_search()

        self.assert_over(job, 78)

    def test_a_held_lock_is_not_requeued(self):
        lock = self.folder / "search.h5.lock"
        lock.write_text("host elsewhere\npid 1\njob 1\nrestarts 0\n")

        job = self.submit_search()

        self.assert_over(job, 74)
        self.assertIn("is being written by another run: process 1 on elsewhere, Slurm job 1", self.log(job))

    def test_a_full_disk_is_not_requeued(self):
        disk = self.folder / "disk"
        small_disk.mount(self, disk, "16m")
        job = self.submit_search(result="disk/search.h5")
        self.wait_for("disk/search.checkpoint.previous.h5", job)
        small_disk.fill(disk)
        self.slurm.command("scancel", "--signal=USR1", "--batch", job)

        self.assert_over(job, 74)

        self.assertIn("cannot write disk/search.h5: No space left on device", self.log(job))
        self.assertTrue((disk / "search.checkpoint.h5").exists())

    def test_the_number_of_starts_is_bounded(self):
        script = self.folder / "de.sbatch"
        script.write_text((SOURCE / "slurm/de.sbatch").read_text().replace("most_starts=50", "most_starts=1"))
        job = self.slurm.submit(*TWO_NODES, script, "search.toml", "search.h5", "--max-time", "1ms", folder=self.folder)

        self.assert_over(job, 75, restarts=1)

    def write_long_sweep(self):
        """A sweep that takes this machine some seconds, and its undisturbed result."""
        epochs, seconds = 200, 0
        while seconds < 6:
            epochs *= 2
            (self.folder / "sweep.toml").write_text(SWEEP.format(epochs=epochs))
            undisturbed = run_atoll("som", "sweep.toml", "-o", "undisturbed.h5", "--force", folder=self.folder)
            self.assertEqual(undisturbed.code, 0, undisturbed)
            seconds = undisturbed.seconds

    def test_a_sweep_goes_on_after_the_limit(self):
        points = "\n".join(f"{i % 17},{i % 29},{i % 11}" for i in range(1500))
        (self.folder / "points.csv").write_text("x,y,z\n" + points + "\n")
        self.write_long_sweep()
        job = self.slurm.submit(*TWO_NODES, SOURCE / "slurm/som.sbatch", "sweep.toml", "sweep.h5", folder=self.folder)
        self.wait_for("sweep.h5.partial", job)
        self.slurm.command("scancel", "--signal=USR1", "--batch", job)

        self.assert_finished(job, restarts=[1])

        self.assert_same_bits(self.folder / "undisturbed.h5", self.folder / "sweep.h5")

    def test_an_array_runs_one_problem_a_task(self):
        for name in ("a", "b"):
            (self.folder / f"{name}.toml").write_text(SEARCH.replace("1_000_000_000", "20_000"))
        job = self.submit_array("a.toml", "b.toml")

        self.slurm.wait_until(lambda: self.slurm.command("squeue", "-h", "-j", job) == "", 600, "both tasks")

        self.assert_same_bits(self.folder / "a.h5", self.folder / "b.h5")
        self.assertEqual(len(list(self.folder.glob("atoll-array-*.log"))), 2)

    def test_a_task_whose_rank_is_killed_goes_on_to_the_same_bits(self):
        (self.folder / "a.toml").write_text(SEARCH)
        task = f"{self.submit_array('a.toml', more=('--checkpoint-every', '100ms'))}_0"
        self.wait_for("a.checkpoint.h5", task)
        os.kill(self.rank_in(self.folder), signal.SIGKILL)
        self.wait_for_requeue(task)
        undisturbed = self.let_it_end("a.toml", "a.checkpoint.h5")

        self.assert_finished(task, restarts=[1])

        self.assert_same_bits(undisturbed, self.folder / "a.h5")

    def submit_array(self, *problems, more=()):
        """`more` for atoll, which the script has no place for."""
        script = self.folder / "array.sbatch"
        script.write_text((SOURCE / "slurm/array.sbatch").read_text().replace("--resume", " ".join(["--resume", *more])))
        return self.slurm.submit(f"--array=0-{len(problems) - 1}", "--cpus-per-task=1", "--time=10", script, *problems,
                                 folder=self.folder)

    @staticmethod
    def rank_in(folder):
        """Process id of an atoll that works in this folder."""
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if (process / "exe").samefile(BINARY) and (process / "cwd").samefile(folder):
                    return int(process.name)
            except OSError:  # ended meanwhile
                continue
        raise AssertionError(f"no atoll in {folder}")


if __name__ == "__main__":
    os.umask(0o022)
    main()
