"""Runs atoll as a user does, alone or under mpirun, and opens what it wrote.

    from atoll_test_tools import AtollTest, main

    class ProductModel(AtollTest):
        def test_two_ranks_find_the_known_minimum(self):
            run = self.atoll("de", self.data("de_product/product.toml"), "-o", "product.h5", ranks=2)

            self.assertEqual(run.code, 0, run)
            with self.open("product.h5") as result:
                self.assertAlmostEqual(result["fun"][()], 98.04025930807, places=6)

    main()

Every test has an empty folder of its own (self.folder), where atoll runs. ctest sets ATOLL_BINARY, ATOLL_SOURCE, MPIEXEC
and the environment of mpirun; by hand, ATOLL_BINARY=build/dev/atoll python3 tests/end_to_end/NAME_test.py is enough.
"""

import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from dataclasses import dataclass

import h5py

SOURCE = pathlib.Path(os.environ.get("ATOLL_SOURCE") or pathlib.Path(__file__).resolve().parents[2])
BINARY = str(pathlib.Path(os.environ.get("ATOLL_BINARY") or SOURCE / "build/dev/atoll").resolve())
MPIEXEC = [os.environ.get("MPIEXEC") or "mpirun", *os.environ.get("MPIEXEC_FLAGS", "-q").split()]
TIMEOUT = 600  # seconds; ten times what a loaded machine needs for a cold start

DEFAULTS = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
    "HWLOC_COMPONENTS": "-opencl",
    "LC_ALL": "C.UTF-8",
}


@dataclass
class Run:
    """A finished process. Printed whole when an assertion takes it as its message."""

    command: list
    code: int  # exit code; negative: the signal that ended it
    out: str
    err: str
    seconds: float

    def __str__(self):
        return f"\n$ {' '.join(self.command)}\nexit code {self.code}\n--- stdout\n{self.out}--- stderr\n{self.err}---"


def environment(changes=None):
    """The environment of a run: ours, the defaults above, then `changes`; a value of None removes a name."""
    result = {**DEFAULTS, **os.environ}
    for name, value in (changes or {}).items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = str(value)
    return result


def command_line(arguments, ranks=None):
    """`ranks` None: atoll alone, without a launcher; N: under mpirun -n N."""
    launch = [] if ranks is None else [*MPIEXEC, "-n", str(ranks)]
    return [*launch, BINARY, *(str(argument) for argument in arguments)]


def start_atoll(*arguments, ranks=None, folder=None, env=None, err=subprocess.PIPE):
    """A running atoll in a process group of its own, for tests that send signals. Its output is read by finish; `err` is
    a file for the tests that read stderr meanwhile."""
    return subprocess.Popen(
        command_line(arguments, ranks),
        cwd=folder,
        env=environment(env),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=err,
        text=True,
        errors="replace",
        start_new_session=True,
    )


def finish(process, timeout=TIMEOUT):
    """Waits for a started atoll; past the time-out the whole process group is killed and the test fails."""
    begin = time.monotonic()
    try:
        out, err = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        raise AssertionError(f"{' '.join(process.args)} did not end in {timeout} s\n{out}\n{err}") from None
    return Run(process.args, process.returncode, out, err or "", time.monotonic() - begin)


def run_atoll(*arguments, ranks=None, folder=None, env=None, timeout=TIMEOUT):
    return finish(start_atoll(*arguments, ranks=ranks, folder=folder, env=env), timeout)


def wait_until(condition, timeout=TIMEOUT, what="the condition"):
    """Polls until `condition()` is true and returns its value."""
    end = time.monotonic() + timeout
    while not (value := condition()):
        if time.monotonic() > end:
            raise AssertionError(f"{what} did not come true in {timeout} s")
        time.sleep(0.02)
    return value


def ranks_of(process):
    """Process ids of the atoll processes below a started one, sorted; itself when it runs without a launcher."""
    if process.args[0] == BINARY:
        return [process.pid]
    parents, commands = {}, {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):  # not ps: a bare container has none
        try:
            commands[int(folder.name)] = (folder / "cmdline").read_bytes().split(b"\0")[0].decode(errors="replace")
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:  # ended meanwhile
            continue
    below = {process.pid}
    for _ in range(4):  # mpirun starts ranks directly; other launchers put a daemon or two between
        below |= {pid for pid, parent in parents.items() if parent in below}
    return sorted(pid for pid in below if commands.get(pid) == BINARY)


class AtollTest(unittest.TestCase):
    """A test with an empty folder of its own, removed afterwards."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="atoll test "))  # the blank is part of the test
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def atoll(self, *arguments, **options):
        return run_atoll(*arguments, folder=self.folder, **options)

    def start(self, *arguments, **options):
        process = start_atoll(*arguments, folder=self.folder, **options)
        self.addCleanup(_end, process)
        return process

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def data(self, name):
        """A file of the examples in data/."""
        return SOURCE / "data" / name

    def open(self, name):
        return h5py.File(self.folder / name, "r")

    def assert_refused(self, run, code, *texts):
        """The run failed with this code and one message on stderr that has all of `texts`; stdout stayed empty."""
        self.assertEqual(run.code, code, run)
        self.assertEqual(run.out, "", run)
        for text in texts:
            self.assertIn(text, run.err, run)


def _end(process):
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    for pipe in filter(None, (process.stdout, process.stderr)):
        pipe.close()
    process.wait()


def main():
    unittest.main(verbosity=2)
