#!/usr/bin/env python3
"""generated_texts.py TILE2CU FOLDER: the files man, bash, zsh and fish in FOLDER name the options of --help, and no others.

Where man, zsh and fish are installed, each also reads its file.
"""
import os
import re
import shutil
import subprocess
import sys


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, **options)


def options_of_help(tile2cu):
    """The names in the left column of --help: "-o, --output=FILE" is two."""
    names = set()
    for line in run(tile2cu, "--help").stdout.split("\n"):
        spelled = re.match(r"  (-\S+?)(?:, (-\S+))?(?: |$)", line)
        for part in spelled.groups() if spelled else []:
            names |= {re.match(r"--[a-z-]+|-[A-Za-z-]+", part)[0]} if part else set()
    # In "-WGROUP" the name is one letter.
    return {name[:2] if re.match(r"-[WR]", name) else name for name in names}


def in_man(text):
    """The names in the lines .B "\\-o, \\-\\-output=FILE" after each .TP."""
    names = set()
    for line in re.findall(r'^\.TP\n\.B "(.*)"', text.replace("\\-", "-"), re.M):
        for part in line.split(", "):
            names.add(part[:2] if re.match(r"-[WR]", part) else re.match(r"-[\w-]+", part)[0])
    return names


def in_bash(text):
    words = re.search(r"local options='(.*)'", text)[1].split()
    return {word.rstrip("=") for word in words}


def in_zsh(text):
    """The names before the help in brackets; "=", "=-", "+" and "-" say how the value follows."""
    names = re.findall(r"^  '\*?(?:\([^)]*\))?(-[\w-]+?)(?:=-?|\+|-)?\[", text, re.M)
    return set(names)


def in_fish(text):
    names = set()
    for line in re.findall(r"^complete -c tile2cu(.*?) -d '", text, re.M):
        for kind, name in re.findall(r" -([slo]) ([\w-]+)", line):
            names.add(("--" if kind == "l" else "-") + name)
    return names


def main(tile2cu, folder):
    expected = options_of_help(tile2cu)
    problems = [] if len(expected) > 30 else ["--help was not understood"]
    texts = {}
    for kind, read in (("man", in_man), ("bash", in_bash), ("zsh", in_zsh), ("fish", in_fish)):
        with open(os.path.join(folder, kind)) as file:
            texts[kind] = file.read()
        found = read(texts[kind])
        problems += [f"{kind}: no {name}" for name in sorted(expected - found)]
        problems += [f"{kind}: --help has no {name}" for name in sorted(found - expected)]
    for shell in ("bash", "zsh"):
        if shutil.which(shell):
            problems += run(shell, "-n", shell, cwd=folder).stderr.splitlines()
    if shutil.which("fish"):
        offered = run("fish", "-c", 'source fish; complete -C "tile2cu --math="', cwd=folder).stdout
        if re.findall(r"^--math=(\w+)", offered, re.M) != ["fast", "precise"]:
            problems.append(f"fish: offers {offered!r} for --math=")
    if shutil.which("man"):
        shown = run("man", "--warnings", "-l", "man", cwd=folder, env={**os.environ, "LC_ALL": "C", "MANWIDTH": "80"})
        problems += shown.stderr.splitlines()
        if "--print-before=NAME,...|all" not in re.sub(".\b", "", shown.stdout):
            problems.append("man: --print-before is not shown")
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
