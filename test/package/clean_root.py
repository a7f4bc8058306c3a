#!/usr/bin/env python3
"""Makes a root folder of this machine's own Debian packages: clean_root.py FOLDER PACKAGE...

It copies the files of the packages and of all that they depend on, as dpkg lists them. So the folder is what a machine has on
which only these packages are installed, and dpkg knows it: installing a package there checks what it depends on. Needs neither
a network nor debootstrap. Maintainer scripts do not run.
"""
import os
import re
import shutil
import stat
import subprocess
import sys

ALWAYS = ["base-files", "bash", "coreutils", "dash", "diffutils", "dpkg", "findutils", "grep", "gzip", "libc-bin", "sed", "tar"]


def installed():
    """name -> its paragraph of dpkg's status, as text and as a dictionary."""
    packages = {}
    with open("/var/lib/dpkg/status") as file:
        for paragraph in file.read().strip().split("\n\n"):
            fields = dict(re.findall(r"^([\w-]+): (.*)$", paragraph, re.M))
            if fields.get("Status", "").endswith(" installed"):
                packages[fields["Package"]] = (paragraph, fields)
    return packages


def closure(names, packages):
    """The packages with all that they depend on. Of alternatives the first that is installed counts."""
    provides = {}
    for name, (_, fields) in packages.items():
        for virtual in re.findall(r"([^\s,(]+)(?: \([^)]*\))?", fields.get("Provides", "")):
            provides.setdefault(virtual, name)
    found, left = set(), list(names)
    while left:
        name = left.pop()
        name = name if name in packages else provides.get(name)
        if name is None or name in found:
            continue
        found.add(name)
        fields = packages[name][1]
        for kind in ("Pre-Depends", "Depends"):
            for alternatives in filter(None, fields.get(kind, "").split(", ")):
                choices = [re.split(r"[\s:(]", choice.strip())[0] for choice in alternatives.split("|")]
                left += [c for c in choices if c in packages or c in provides][:1]
    return sorted(found)


def copy(path, root):
    """Copies a file, a link or a folder (without what is in it) to the same place below the root."""
    target = root + path
    mode = os.lstat(path).st_mode
    if os.path.lexists(target):
        return
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if stat.S_ISLNK(mode):
        os.symlink(os.readlink(path), target)
    elif stat.S_ISDIR(mode):
        os.makedirs(target, exist_ok=True)
    elif stat.S_ISREG(mode):
        shutil.copy2(path, target)


def main(root, names):
    packages = installed()
    missing = [name for name in names if name not in packages]
    if missing:
        sys.exit(f"not installed here: {' '.join(missing)}")
    names = closure(ALWAYS + names, packages)
    for name in ("bin", "sbin", "lib", "lib64"):
        os.makedirs(f"{root}/usr/{name}", exist_ok=True)
        os.symlink(f"usr/{name}", f"{root}/{name}")
    for name in ("dev", "etc", "proc", "root", "tmp", "var/lib/dpkg/info", "var/lib/dpkg/updates", "var/lib/dpkg/triggers"):
        os.makedirs(f"{root}/{name}", exist_ok=True)
    for path in subprocess.run(["dpkg", "-L", *names], capture_output=True, text=True, check=True).stdout.split("\n"):
        if path.startswith("/") and os.path.lexists(path):
            copy(path, root)
    with open(f"{root}/var/lib/dpkg/info/format", "w") as file:
        file.write("1\n")
    with open(f"{root}/var/lib/dpkg/status", "w") as file:
        file.write("".join(packages[name][0] + "\n\n" for name in names))
    for name in names:
        for kind in ("", ":" + packages[name][1]["Architecture"]):
            path = f"/var/lib/dpkg/info/{name}{kind}.list"
            if os.path.exists(path):
                copy(path, root)
    print(f"{len(names)} packages")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]), sys.argv[2:])
