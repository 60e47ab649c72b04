"""What every judge in Python shares: the definitions, and a line for each dialect. `report.mjs` is the same in JavaScript."""

import copy
import json
import pathlib
import sys

written = pathlib.Path(sys.argv[1])
known = json.loads((pathlib.Path(__file__).parent / "known.json").read_text())
failures = 0


def parameters(definition):
    """The schema of a tool's arguments, wherever its dialect puts it; None where it has none."""
    tool = definition.get("function", definition)
    keys = ("parameters", "parametersJsonSchema", "input_schema", "inputSchema")
    return next((tool[key] for key in keys if key in tool), None)


def judged(oracle, dialect, judge):
    """Judges what was written in a dialect: `judge` gets a definition of its own, and returns why it refuses it, or raises."""
    tools = [tool for file in ("corpus", "foreign", "files") for tool in json.loads((written / f"{dialect}.{file}.json").read_text())]
    refused = {}
    for tool in tools:
        try:
            why = judge(copy.deepcopy(tool["definition"]))
        except Exception as error:  # whatever a library raises is its verdict
            why = f"{type(error).__name__}: {error}"
        if why:
            refused[tool["tool"]] = " ".join(why.split())
    of_oracle = [entry for entry in known if entry["oracle"] == oracle and dialect in entry["dialects"]]
    expected = {tool: entry["why"] for entry in of_oracle for tool in entry["tools"]}
    print(f"{oracle}: {dialect}: {len(tools) - len(refused)} of {len(tools)} accepted")
    if len(tools) < 80:
        fail(f"  only {len(tools)} definitions were written")
    for tool, why in refused.items():
        if tool in expected:
            print(f"  known: {tool}: {expected[tool]}")
        else:
            fail(f"  REFUSED: {tool}: {why}")
    for tool in expected:
        if tool not in refused:
            fail(f"  {tool} is accepted, or no more: take it out of known.json")


def fail(words):
    global failures
    failures += 1
    print(words)


def end():
    """The last line of every judge."""
    sys.exit(1 if failures else 0)


def difference(before, after, at=""):
    """Where two JSON values differ first, or None. The order of properties counts: models write in it."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in [*before, *(key for key in after if key not in before)]:
            if key not in after:
                return f"{at}/{key}: {json.dumps(before[key])} is dropped"
            if key not in before:
                return f"{at}/{key}: {json.dumps(after[key], default=str)} is new"
            if found := difference(before[key], after[key], f"{at}/{key}"):
                return found
        if at.endswith("/properties") and list(before) != list(after):
            return f"{at}: {list(before)} become {list(after)}"
        return None
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        found = (difference(one, other, f"{at}/{index}") for index, (one, other) in enumerate(zip(before, after)))
        return next(filter(None, found), None)
    # True == 1 in Python, and is another JSON value; 1.0 is the same one as 1.
    same = before == after and isinstance(before, bool) == isinstance(after, bool)
    return None if same else f"{at or '/'}: {json.dumps(before)} becomes {json.dumps(after, default=str)}"
