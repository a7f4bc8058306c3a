#!/usr/bin/env python3
"""Checks the table of rooms: test/layers.py [ROOT]

Reads test/layers.txt, and every #include "..." of the compiler. Prints an include that the table does not allow, and an
exception that no file needs. The last line says "N passed, N failed"; N counts files.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
ROOT = ROOT if len(sys.argv) > 1 else ROOT.parents[1]
FOLDERS = ("transpiler", "frontend", "passes", "emit")


def table():
    """The rooms with what each may include, the headers that all may include, and the exceptions."""
    rooms, shared, exceptions = {}, set(), set()
    for line in (ROOT / "test/layers.txt").read_text().splitlines():
        line = line.split("#")[0].strip()
        if "->" in line:
            exceptions.add(tuple(part.strip() for part in line.split("->")))
        elif ":" in line:
            room, allowed = (part.strip() for part in line.split(":"))
            if room == "*":
                shared.update(allowed.split())
            else:
                rooms[room] = set(allowed.split())
    for room, allowed in rooms.items():
        unknown = allowed - set(rooms)
        assert not unknown, f"test/layers.txt: {room} may include {unknown}, which are no rooms"
    return rooms, shared, exceptions


def room_of(path, rooms):
    """The room of a file: the longest folder of the table that holds it."""
    fitting = [room for room in rooms if path.startswith(room + "/")]
    return max(fitting, key=len, default=None)


def main():
    rooms, shared, exceptions = table()
    needed, failed, files = set(), 0, 0
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix not in (".cpp", ".h", ".def"):
                continue
            files += 1
            name = path.relative_to(ROOT).as_posix()
            room, good = room_of(name, rooms), True
            for number, line in enumerate(path.read_text().splitlines(), 1):
                found = re.match(r'#include "((?:transpiler|frontend|passes|emit)/[^"]+)"', line)
                if not found or found[1] in shared:
                    continue
                header, other = found[1], room_of(found[1], rooms)
                if other == room or other in rooms[room]:
                    continue
                if (name, header) in exceptions:
                    needed.add((name, header))
                    continue
                print(f"{name}:{number}: {room} may not include {header} of {other} (test/layers.txt)")
                good = False
            failed += not good
    for name, header in sorted(exceptions - needed):
        print(f"test/layers.txt: the exception '{name} -> {header}' is not needed")
        failed += 1
    print(f"{files - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
