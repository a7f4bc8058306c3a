"""Checks NAME.json and NAME.sarif: they have the same messages, which are those expected for NAME."""
import json
import sys

# kind, file, line, option, part of the text, number of notes
EXPECTED = {
    "none": [],
    "three": [
        ("error", "wrong.tile.cpp", 6, "", "undeclared identifier", 0),
        ("warning", "warns.tile.cpp", 7, "-Wsign-compare", "different signs", 0),
        ("error", "", 0, "", "cannot read 'missing.cpp'", 0),
    ],
    "unused": [("warning", "unused.tile.cpp", 4, "-Wunused-kernel", "kernel template 'scale'", 0)],
    "notes": [
        ("error", "notes.tile.cpp", 2, "", "redefinition of 'f'", 1),
        ("warning", "notes.tile.cpp", 2, "-Winvalid-source-encoding", "illegal character", 0),
        ("error", "notes.tile.cpp", 2, "", "cannot initialize return", 0),
    ],
    "ir": [("error", "x.t2ir", None, "", "f33", 0)],
}


def of_json(path):
    for message in json.load(open(path)):
        caret = message["locations"][0]["caret"] if message["locations"] else {"file": "", "line": 0}
        for note in message["children"]:
            assert note["kind"] == "note" and note["locations"], note
        yield (message["kind"], caret["file"], caret["line"], message.get("option", ""), message["message"],
               len(message["children"]))


def of_sarif(path):
    document = json.load(open(path))
    assert document["version"] == "2.1.0" and len(document["runs"]) == 1
    run = document["runs"][0]
    driver = run["tool"]["driver"]
    assert driver["name"] == "tile2cu" and driver["version"]
    rules = {rule["id"] for rule in driver["rules"]}
    for result in run["results"]:
        place, line = "", 0
        if result["locations"]:
            location = result["locations"][0]["physicalLocation"]
            place = location["artifactLocation"]["uri"].removeprefix("file://")
            line = location["region"]["startLine"]
        assert result.get("ruleId") is None or result["ruleId"] in rules
        yield (result["level"], place, line, result.get("ruleId", ""), result["message"]["text"],
               len(result.get("relatedLocations", [])))


name = sys.argv[1]
messages, results = list(of_json(name + ".json")), list(of_sarif(name + ".sarif"))
as_notes = [("note" if m[0] == "remark" else m[0],) + m[1:] for m in messages]
# SARIF's rule of a remark is its number, T2C105.
numbers = [r[3] for r in results if r[3].startswith("T2C")]
results = [r[:3] + ("-Rtile",) + r[4:] if r[3].startswith("T2C") else r for r in results]
assert as_notes == results, (messages, results)
assert len(numbers) == sum(m[0] == "remark" for m in messages), (messages, numbers)
if name == "remarks":
    assert messages and all(m[0] == "remark" and m[3] == "-Rtile" and m[1] for m in messages), messages
else:
    expected = EXPECTED[name]
    assert len(expected) == len(messages), messages
    for (kind, file, line, option, text, notes), found in zip(expected, messages):
        assert kind == found[0] and found[1].endswith(file) and option == found[3], found
        assert text in found[4] and notes == found[5] and line in (None, found[2]), found
