"""Anthropic's Python library moves into the description what strict mode cannot say: there is nothing to move, but for what
it moves although Anthropic's documentation lists it."""

import copy

from anthropic import transform_schema
from report import difference, end, fail, judged, parameters

# What the documentation takes and the library does not know. `type` is only beside `enum` and `const`, which imply it.
leniency = {"pattern": 0, "default": 0, "type": 0}


def as_the_library_knows_it(node):
    is_literal = "enum" in node or "const" in node
    known = {}
    for keyword, value in node.items():
        if keyword in ("pattern", "default") or (keyword == "type" and is_literal):
            leniency[keyword] += 1
        elif keyword in ("properties", "$defs"):
            known[keyword] = {name: as_the_library_knows_it(schema) for name, schema in value.items()}
        elif keyword in ("anyOf", "allOf"):
            known[keyword] = [as_the_library_knows_it(schema) for schema in value]
        elif keyword == "items":
            known[keyword] = as_the_library_knows_it(value)
        else:
            known[keyword] = value
    return known


def judge(definition):
    schema = as_the_library_knows_it(parameters(definition))
    return difference(schema, transform_schema(copy.deepcopy(schema)))


judged("anthropic (py)", "Anthropic-Strict", judge)
for keyword, times in leniency.items():
    if times == 0:
        fail(f"no definition has {keyword} any more: take it out of what is let pass")
end()
