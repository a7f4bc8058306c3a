#!/usr/bin/env python3
"""page.py PAGE CUDA [--without-lines]: checks the document of a page, and that it shows this CUDA file.

--without-lines: the source says nothing about lines (textual IR).
"""
import json
import re
import sys

page, cuda = sys.argv[1:3]
has_lines = "--without-lines" not in sys.argv
text = open(page, encoding="utf-8").read()
found = re.search(r'<script type="application/json" id="document">(.*?)</script>', text, re.S)
document = json.loads(found[1])

# Nothing comes from the network: no address, and no file but this one.
assert not re.search(r"<(link|img|iframe|script)[^>]*\b(src|href)=", text), "the page loads a file"
rest = text.replace(found[0], "").replace("http://www.w3.org/2000/svg", "")  # a name, not an address
assert "http:" not in rest and "https:" not in rest
assert "{{" not in text.replace(found[0], ""), "a part of the template is left"

assert document["form"] == 1 and document["targets"]
main = document["files"][document["main"]]
assert main["text"]
rows = document["cuda"]["text"].split("\n")
assert document["cuda"]["text"] == open(cuda, encoding="utf-8", errors="replace").read()

# Rows ascend and exist, and so do the lines that they come from.
before = -1
for row, file, line in document["cuda"]["sources"]:
    assert before < row < len(rows) and rows[row].strip(), (row, line)
    before = row
    if has_lines:
        assert 1 <= line <= document["files"][file]["text"].count("\n") + 1
if has_lines:
    # A quoted statement of the source, as a comment, comes from the line where the statement begins.
    lines = main["text"].split("\n")
    quoted = 0
    for row, file, line in document["cuda"]["sources"]:
        words = re.match(r"\s*// (auto \w+ = .{5})", rows[row])
        if words and file == document["main"]:
            quoted += 1
            assert words[1] in lines[line - 1], (rows[row], lines[line - 1])
    assert quoted > 0, "no quoted statement"

for remark in document["remarks"]:
    assert remark["severity"] in ("remark", "warning") and remark["text"]
    assert "line" not in remark or remark["file"] < len(document["files"])
assert any("this load moves" in remark["text"] for remark in document["remarks"])

passes = document["ir"]["passes"]
assert passes[0]["name"] == "front end" and passes[0]["level"] == "tile" and passes[0]["lines"]
assert [each["name"] for each in passes if each["level"] == "placed"][0] == "assign_layouts"
assert passes[-1]["level"] == "thread" and all(each["does"] for each in passes)
used = {number for each in passes for number in each.get("lines", [])}
assert used == set(range(len(document["ir"]["lines"])))
previous = None
for each in passes:
    if "lines" in each:
        assert each["lines"] != previous, f"{each['name']} changes nothing"
        previous = each["lines"]
