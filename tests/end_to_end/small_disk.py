"""A file system of a few MiB for the tests of full disks."""

import subprocess


def mount(test, folder, size):
    """An empty one of this size at `folder`, until the end of the test."""
    folder.mkdir(exist_ok=True)
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "atoll-test", folder], capture_output=True,
                             text=True, check=False)
    if mounted.returncode != 0:
        test.skipTest(f"cannot mount a tmpfs here (needs root): {mounted.stderr.strip()}")
    test.addCleanup(subprocess.run, ["umount", "-l", folder], check=True)


def fill(folder):
    """Leaves not one free page; all is in the file `filler`."""
    with open(folder / "filler", "wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            pass
