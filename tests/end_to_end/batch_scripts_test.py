#!/usr/bin/python3
"""Which exit codes put a job of slurm/*.sbatch back into the queue, with a launcher that ends with the code to be tried and
a scontrol that writes down what it is asked; tests/slurm has the same scripts under a real Slurm."""

import subprocess

from atoll_test_tools import SOURCE, AtollTest, environment, main

AGAIN = (75, 137, 143, 205)  # stopped with a checkpoint; a rank was killed or ended; a node was lost
OVER = (0, 1, 64, 65, 66, 69, 70, 74, 78, 134, 139)
SCRIPTS = {  # arguments, what an unfinished run leaves, the name of the job for scontrol
    "de.sbatch": (["a.toml", "a.h5"], "a.checkpoint.h5", "7"),
    "som.sbatch": (["a.toml", "a.h5"], "a.h5.partial", "7"),
    "array.sbatch": (["other.toml", "a.toml"], "a.checkpoint.h5", "5_1"),
}


class BatchScripts(AtollTest):
    def setUp(self):
        super().setUp()
        self.tool("mpirun", 'echo "$@" >>launched; exit "$TRIED"')
        self.tool("scontrol", 'echo "$@" >>asked')

    def tool(self, name, text):
        path = self.write(name, f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)

    def end(self, script, code, restarts=0):
        """The script's exit code, and what it asked of scontrol, after a launcher that ended with `code`."""
        (self.folder / "asked").unlink(missing_ok=True)
        changes = {"TRIED": code, "SLURM_JOB_ID": 7, "SLURM_ARRAY_JOB_ID": 5, "SLURM_ARRAY_TASK_ID": 1,
                   "SLURM_RESTART_COUNT": restarts or None, "PATH": f"{self.folder}:{environment()['PATH']}"}
        run = subprocess.run(["bash", SOURCE / "slurm" / script, *SCRIPTS[script][0]], cwd=self.folder,
                             env=environment(changes), capture_output=True, text=True, check=False)
        asked = self.folder / "asked"
        return run.returncode, asked.read_text().strip() if asked.exists() else ""

    def test_what_can_go_on_is_requeued_and_all_else_ends_with_its_code(self):
        for script, (_, _, job) in SCRIPTS.items():
            for code in AGAIN:
                self.assertEqual(self.end(script, code), (0, f"requeue {job}"), f"{script}, {code}")
            for code in OVER:
                self.assertEqual(self.end(script, code), (code, ""), f"{script}, {code}")

    def test_a_launcher_that_fails_beside_unfinished_work_is_requeued(self):
        for script, (_, unfinished, job) in SCRIPTS.items():
            path = self.write(unfinished, "")
            self.assertEqual(self.end(script, 1), (0, f"requeue {job}"), script)
            path.unlink()

    def test_the_number_of_starts_is_bounded(self):
        for script, (_, _, job) in SCRIPTS.items():
            self.assertEqual(self.end(script, 75, restarts=49), (0, f"requeue {job}"), script)
            self.assertEqual(self.end(script, 75, restarts=50), (75, ""), script)

    def test_every_start_resumes(self):
        for script, command in (("de.sbatch", "atoll de a.toml -o a.h5 --resume"),
                                ("som.sbatch", "atoll som a.toml -o a.h5 --resume"),
                                ("array.sbatch", "atoll de a.toml -o a.h5 --resume")):
            (self.folder / "launched").unlink(missing_ok=True)
            self.end(script, 0)
            self.assertEqual((self.folder / "launched").read_text(), f"--bind-to none {command}\n")


main()
