#!/usr/bin/env python3
"""Checks the table of rooms: test/layers.py [--shrink]

Reads test/layers.txt, and every #include "..." of the compiler. Prints an include that the table does not allow, and an
exception that no file needs. --shrink removes such exceptions. The last line says "N passed, N failed"; N counts files.
"""

import collections
import re
import sys

from prose import ROOT, Shrinking, files

LIST = ROOT / "test/layers.txt"
INCLUDE = re.compile(r'#include "((?:transpiler|frontend|passes|emit)/[^"]+)"')


def table():
    """The rooms with what each may include, and the headers that all may include."""
    rooms, shared = {}, set()
    for line in LIST.read_text().splitlines():
        line = line.split("#")[0].strip()
        if ":" not in line or "->" in line:
            continue
        room, allowed = (part.strip() for part in line.split(":"))
        if room == "*":
            shared.update(allowed.split())
        else:
            rooms[room] = set(allowed.split())
    for room, allowed in rooms.items():
        unknown = allowed - set(rooms)
        assert not unknown, f"test/layers.txt: {room} may include {unknown}, which are not rooms"
    return rooms, shared


def room_of(path, rooms):
    """The room of a file: the longest folder of the table that holds it."""
    fitting = [room for room in rooms if path.startswith(room + "/")]
    return max(fitting, key=len, default=None)


def main():
    rooms, shared = table()
    findings = collections.defaultdict(list)
    names = [name for name in files(".cpp", ".h", ".def") if not name.startswith("runtime/")]
    for name in names:
        room = room_of(name, rooms)
        for number, line in enumerate((ROOT / name).read_text().splitlines(), 1):
            found = INCLUDE.match(line)
            if not found or found[1] in shared:
                continue
            header, other = found[1], room_of(found[1], rooms)
            if other != room and other not in rooms[room]:
                findings[f"include {name} -> {header}"].append(
                    f"{name}:{number}: {room} may not include {header} of {other} (test/layers.txt)"
                )
    failed = Shrinking(LIST, "--shrink" in sys.argv[1:]).check(findings)
    print(f"{len(names) - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
