"""A Slurm of our own: two nodes with pretended GPUs on this machine, no system service, nothing outside one folder.

Each node is a slurmd in a host-name space of its own, so that programs see hosts node1 and node2. Needs root, munge and
slurm-wlm (scripts/install_packages slurm).
"""

import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "unshare")

CONFIGURATION = """ClusterName=atolltest
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
CredType=cred/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SwitchType=switch/none
ReturnToService=2
KillWait=5
MinJobAge=600
SlurmctldTimeout=30
SlurmdTimeout=10
SchedulerParameters=sched_interval=2,batch_sched_delay=0
SlurmdParameters=config_overrides
SlurmctldPort={port}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool/%n
TmpFS={folder}/tmp/%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/log/slurmctld.log
SlurmdLogFile={folder}/log/slurmd.%n.log
GresTypes=gpu
{nodes}
PartitionName=main Nodes=ALL Default=YES DefaultTime=5 MaxTime=60 State=UP
"""


def missing():
    """Why no private Slurm can run here; empty when it can."""
    if os.geteuid() != 0:
        return "a private Slurm needs root"
    path = os.environ["PATH"] + ":/usr/sbin:/sbin"
    absent = [program for program in PROGRAMS if shutil.which(program, path=path) is None]
    return f"not installed: {', '.join(absent)} (scripts/install_packages slurm)" if absent else ""


def free_ports(count):
    """The first of `count` neighbouring free ports."""
    for first in range(26800 + os.getpid() % 1000 * 10, 60000, 10):
        try:
            for port in range(first, first + count):
                with socket.socket() as probe:
                    probe.bind(("127.0.0.1", port))
            return first
        except OSError:
            continue
    raise RuntimeError("no free ports")


class PrivateSlurm:
    NODES = 2
    CPUS = 4
    GPUS = 2

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.environment = dict(os.environ, SLURM_CONF=str(self.folder / "slurm.conf"),
                                PATH=os.environ["PATH"] + ":/usr/sbin:/sbin")
        for name in list(self.environment):  # a job of an outer Slurm must not show through
            if name.startswith("SLURM_") and name != "SLURM_CONF":
                del self.environment[name]

    def start(self):
        self._lay_out()
        munge = self.folder / "munge"
        self._run("munged", f"--key-file={munge}/key", f"--socket={munge}/socket", f"--pid-file={munge}/pid",
                  f"--log-file={munge}/log", f"--seed-file={munge}/seed")
        self._run("slurmctld", "-f", self.folder / "slurm.conf")
        for node in range(1, self.NODES + 1):
            self.start_node(node)
        self.wait_until(lambda: self._idle() == self.NODES, 600, "two idle nodes")

    def stop(self):
        subprocess.run(["scancel", "--user=root"], env=self.environment, capture_output=True, check=False)
        time.sleep(0.5)
        for file in [*self.folder.glob("slurmd.*.pid"), self.folder / "slurmctld.pid", self.folder / "munge/pid"]:
            self._kill_from(file)

    def start_node(self, node):
        self._run("unshare", "--uts", "sh", "-c",
                  f"hostname node{node} && exec slurmd -f '{self.folder}/slurm.conf' -N node{node}")

    def kill_node(self, node):
        """As if the power failed: every process of the node, its slurmd included, dies at once."""
        pid = int((self.folder / f"slurmd.node{node}.pid").read_text())
        space = os.readlink(f"/proc/{pid}/ns/uts")
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if os.readlink(process / "ns/uts") == space:
                    os.kill(int(process.name), signal.SIGKILL)
            except OSError:  # ended meanwhile
                continue

    def state_of(self, node):
        """idle, alloc, down*, ..."""
        return self.command("sinfo", "-h", "-N", "-n", f"node{node}", "-o", "%t")

    def command(self, *arguments):
        run = subprocess.run([str(argument) for argument in arguments], env=self.environment, capture_output=True,
                             text=True, check=False)
        if run.returncode != 0:
            raise RuntimeError(f"{' '.join(map(str, arguments))}: {run.stderr}{run.stdout}")
        return run.stdout.strip()

    def submit(self, *arguments, folder):
        """The id of a new batch job that starts in `folder`."""
        return self.command("sbatch", "--parsable", f"--chdir={folder}", *arguments)

    def job(self, job):
        """scontrol's words on a job: JobState, Restarts, ExitCode and more."""
        text = self.command("scontrol", "show", "job", "-o", job).splitlines()[0]
        return dict(word.split("=", 1) for word in text.split() if "=" in word)

    def release(self, job):
        """Slurm lets a requeued job wait two minutes; tests only until the nodes have forgotten its last start."""
        self.wait_until(lambda: self._idle() == self.NODES, 600, "two idle nodes")
        time.sleep(3)
        try:
            self.command("scontrol", "update", f"JobId={job}", "StartTime=now")
        except RuntimeError:  # it started meanwhile
            pass

    def wait_for_end(self, job, seconds=1200):
        """The job when it is over; requeued starts are let go at once."""
        released = 0

        def over():
            nonlocal released
            now = self.job(job)
            if now["JobState"] == "PENDING" and int(now["Restarts"]) > released:
                self.release(job)
                released = int(now["Restarts"])
            finished = now["JobState"] in ("COMPLETED", "FAILED", "CANCELLED", "NODE_FAIL", "TIMEOUT")
            return now if finished else None

        return self.wait_until(over, seconds, f"the end of job {job}", step=0.3)

    @staticmethod
    def wait_until(condition, seconds, what, step=0.1):
        end = time.monotonic() + seconds
        while not (value := condition()):
            if time.monotonic() > end:
                raise AssertionError(f"{what} did not come in {seconds} s")
            time.sleep(step)
        return value

    def logs(self):
        return "\n".join(f"== {path.name}\n{path.read_text(errors='replace')[-3000:]}"
                         for path in sorted((self.folder / "log").glob("*.log")))

    def _run(self, *arguments):
        subprocess.run([str(argument) for argument in arguments], env=self.environment, check=True,
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    def _idle(self):
        run = subprocess.run(["sinfo", "-h", "-N", "-o", "%t"], env=self.environment, capture_output=True, text=True,
                             check=False)
        return run.stdout.split().count("idle")

    def _lay_out(self):
        for name in ("munge", "state", "log", "tmp", "spool"):
            (self.folder / name).mkdir(parents=True)
        self.folder.chmod(0o755)
        (self.folder / "munge").chmod(0o755)
        key = self.folder / "munge/key"
        key.touch(mode=0o600)
        key.write_bytes(os.urandom(1024))
        host, port = socket.gethostname().split(".")[0], free_ports(self.NODES + 1)
        nodes, gres = [], ["AutoDetect=off"]
        for node in range(1, self.NODES + 1):
            nodes.append(f"NodeName=node{node} NodeHostname={host} NodeAddr=127.0.0.1 Port={port + node} "
                         f"CPUs={self.CPUS} RealMemory=2000 Gres=gpu:fake:{self.GPUS} State=UNKNOWN")
            (self.folder / f"spool/node{node}").mkdir()
            (self.folder / f"tmp/node{node}").mkdir()
            devices = self.folder / f"dev/node{node}"
            devices.mkdir(parents=True)
            for gpu in range(self.GPUS):
                os.mknod(devices / f"gpu{gpu}", 0o666 | 0o020000, os.makedev(1, 3))  # as /dev/null
            gres.append(f"NodeName=node{node} Name=gpu Type=fake File={devices}/gpu[0-{self.GPUS - 1}]")
        (self.folder / "slurm.conf").write_text(CONFIGURATION.format(host=host, port=port, folder=self.folder,
                                                                     nodes="\n".join(nodes)))
        (self.folder / "gres.conf").write_text("\n".join(gres) + "\n")
        (self.folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\n")

    @staticmethod
    def _kill_from(pid_file):
        """Ends a daemon of ours by its pid file, kindly first."""
        try:
            pid = int(pid_file.read_text())
            os.kill(pid, signal.SIGTERM)
            for _ in range(50):
                os.kill(pid, 0)
                time.sleep(0.1)
            os.kill(pid, signal.SIGKILL)
        except (OSError, ValueError):  # it is gone
            pass
