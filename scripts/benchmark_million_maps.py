#!/usr/bin/python3
"""A sweep of a million tiny maps: memory of rank 0, and the time beyond the training beside dd's for the same bytes.

    scripts/benchmark_som --million BUILD [RANKS]

BUILD/atoll is run, in a folder of its own inside BUILD, so that both write to the same disk. The training of a run is
what the busiest rank says of it, the sum of its maps' seconds. A sweep of ten such maps tells what starting costs.
Medians of three, taken in turn.
"""

import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

REPEATS = 3
POINTS = 100
SWEEP = """[data]
file = "points.csv"
[sweep]
neurons = [2, 3]
epochs = 1
replicates = {replicates}
"""
MIB = 1 << 20
AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}  # containers have no other user


def be_a_rank(command, folder):
    """Runs the command and leaves its peak memory and CPU time in the folder."""
    code = subprocess.run(command).returncode
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    rank = os.environ.get("OMPI_COMM_WORLD_RANK") or os.environ.get("PMI_RANK", "0")
    pathlib.Path(folder, f"rank{rank}").write_text(f"{used.ru_maxrss * 1024} {used.ru_utime + used.ru_stime}")
    return code


def flush():
    os.sync()  # what others left to be written is not ours


def sweep(atoll, ranks, folder, file="sweep.toml"):
    flush()
    start = time.monotonic()
    subprocess.run(["mpirun", "-n", str(ranks), "--bind-to", "none", sys.executable, pathlib.Path(__file__).resolve(),
                    "--rank", folder, atoll, "som", file, "--force", "--quiet"], cwd=folder, check=True,
                   env=dict(AS_ROOT, **os.environ))
    return time.monotonic() - start


def training(path):
    import h5py
    import numpy

    with h5py.File(path) as file:
        seconds, ranks = file["runs/seconds"][()], file["runs/rank"][()]
    return numpy.bincount(ranks, weights=seconds)


def copy(path, folder):
    flush()
    start = time.monotonic()
    subprocess.run(["dd", f"if={path}", f"of={folder}/copy", "bs=1M", "conv=fsync"], check=True,
                   stderr=subprocess.DEVNULL)
    return time.monotonic() - start


def main(build, ranks):
    import numpy  # not above: every rank of a run would load it too

    atoll = pathlib.Path(build, "atoll").resolve()
    print(f"load: {' '.join(f'{load:.2f}' for load in os.getloadavg())}, cores: {os.cpu_count()}, ranks: {ranks}")
    with tempfile.TemporaryDirectory(dir=atoll.parent, prefix="million-") as folder:
        points = numpy.random.default_rng(1).uniform(size=(POINTS, 2))
        numpy.savetxt(pathlib.Path(folder, "points.csv"), points, delimiter=",")
        for name, replicates in (("sweep.toml", 500_000), ("ten.toml", 5)):
            pathlib.Path(folder, name).write_text(SWEEP.format(replicates=replicates))
        result = pathlib.Path(folder, "sweep.h5")
        sweep(atoll, ranks, folder)  # builds the kernels
        beyond, copies, starts = [], [], []
        for _ in range(REPEATS):
            for old in (result, pathlib.Path(folder, "copy")):
                old.unlink(missing_ok=True)  # both write new files
            starts.append(sweep(atoll, ranks, folder, "ten.toml"))
            wall = sweep(atoll, ranks, folder)
            trained = training(result)
            copies.append(copy(result, folder))
            beyond.append(wall - trained.max())
            memory, cpu = map(float, pathlib.Path(folder, "rank0").read_text().split())
            print(f"{wall:.2f} s, training {' '.join(f'{t:.2f}' for t in trained)} s a rank, "
                  f"rank 0: peak {memory / MIB:.0f} MiB, {cpu:.2f} s of CPU; "
                  f"dd of {result.stat().st_size / 1e6:.0f} MB {copies[-1]:.2f} s")
    rest, dd, start = map(statistics.median, (beyond, copies, starts))
    print(f"beyond the training {rest:.2f} s, dd {dd:.2f} s: {rest / dd:.2f} times (at most 2 is wanted); "
          f"{(rest - start) / dd:.2f} times without the {start:.2f} s that a sweep of ten such maps takes; "
          f"rank 0 at {memory / MIB:.0f} MiB (at most 2048)")
    return 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--rank"]:
        sys.exit(be_a_rank(sys.argv[3:], sys.argv[2]))
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 2))
