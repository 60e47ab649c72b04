"""What a constrained decoder generates from what a strict mode is sent: random walks under its masks, byte by byte. The test
`what_a_constrained_decoder_generates_is_taken` reads them back."""

import copy
import functools
import json
import pathlib
import random
import sys

from llguidance import LLMatcher, LLTokenizer
from report import parameters

# Walks for each schema, and for each variant of it.
WALKS = 4
WALKS_OF_A_VARIANT = 2
MOST_VARIANTS = 40
LONGEST = 1500

CLOSING = b'"}],'
tokenizer = LLTokenizer("byte")


def branch_of(node, keyword, index):
    """Makes a union have one branch."""
    node[keyword] = node[keyword][index] if keyword == "type" else [node[keyword][index]]


def variants(schema):
    """The schema with one branch of one union, and all that is on the way to it: each branch of each union once."""
    found = []

    def visit(node, way):
        if not isinstance(node, dict):
            return
        for keyword in ("anyOf", "enum", "type"):
            if isinstance(node.get(keyword), list):
                last = len(node[keyword]) - 1
                for index in range(last + 1):
                    if keyword != "enum" or index in (0, last // 2, last):
                        found.append(way + [(keyword, index)])
        for name, inner in node.get("properties", {}).items():
            found.append(way + [("properties", name)])
            visit(inner, way + [("properties", name)])
        for name, inner in node.get("$defs", {}).items():
            visit(inner, way + [("$defs", name)])
        visit(node.get("items"), way + [("items", None)])
        for index, inner in enumerate(node.get("anyOf", [])):
            visit(inner, way + [("anyOf", index)])

    visit(schema, [])
    for way in found[:: max(1, len(found) // MOST_VARIANTS)]:
        yield way, narrowed(schema, way)


def narrowed(schema, way):
    whole = copy.deepcopy(schema)
    node = whole
    if way[0][0] == "$defs":
        # A type that holds itself finds its end in the definition as it is.
        (_, name), *way = way
        first = f"{name}_first"
        for keyword in whole:
            if keyword != "$defs":
                whole[keyword] = renamed(whole[keyword], f"#/$defs/{name}", f"#/$defs/{first}")
        node = whole["$defs"][first] = copy.deepcopy(whole["$defs"][name])
    for keyword, step in way:
        if keyword == "properties":
            if step not in node.get("required", []):
                node.setdefault("required", []).append(step)
            node = node["properties"][step]
        elif keyword == "items":
            node["minItems"] = max(1, node.get("minItems", 0))
            if isinstance(node.get("type"), list):
                node["type"] = "array"
            node = node["items"]
        else:
            branch_of(node, keyword, step)
            node = node[keyword][0] if keyword == "anyOf" else node
    return whole


def renamed(node, before, after):
    if isinstance(node, dict):
        return {key: after if key == "$ref" and value == before else renamed(value, before, after) for key, value in node.items()}
    return [renamed(inner, before, after) for inner in node] if isinstance(node, list) else node


def grammar_of(schema, spaced):
    schema = {**schema, "x-guidance": {"whitespace_flexible": spaced}}
    return LLMatcher.grammar_from_json_schema(json.dumps(schema))


def walk(grammar, dice):
    """One text that the grammar takes, or None where no end was found."""
    matcher = LLMatcher(tokenizer, grammar)
    if matcher.is_error():
        return None
    text = bytearray()
    while not (matcher.is_stopped() or (matcher.is_accepting() and dice.random() < 0.5)):
        if len(text) > LONGEST:
            return None
        mask = matcher.compute_bitmask()
        allowed = [byte for byte in range(256) if mask[byte // 8] >> (byte % 8) & 1]
        closing = [byte for byte in allowed if byte in CLOSING]
        plain = [byte for byte in allowed if 32 < byte < 127]
        if closing and dice.random() < 0.6:
            allowed = closing
        elif plain and dice.random() < 0.8:
            allowed = plain
        if not allowed:
            return None
        byte = dice.choice(allowed)
        if not matcher.consume_token(byte):
            return None
        text.append(byte)
    return text.decode()


@functools.cache
def drawn(tool, schema):
    """Dialects that say a tool in the same way share what is drawn for it."""
    schema = json.loads(schema)
    texts, missing = [], []

    def draw(what, schema, walks):
        dice = random.Random(f"{tool} {what}")
        ended = [walk(grammar_of(schema, spaced=index % 2 == 1), dice) for index in range(walks)]
        texts.extend(text for text in ended if text is not None)
        if not any(ended):
            missing.append(what)

    draw("whole", schema, WALKS)
    for way, variant in variants(schema):
        draw("/".join(f"{keyword}:{step}" for keyword, step in way), variant, WALKS_OF_A_VARIANT)
    return {"tool": tool, "texts": list(dict.fromkeys(texts)), "missing": missing}


written = pathlib.Path(sys.argv[1])
failed = False
for dialect in ("OpenAiChat-Strict", "Anthropic-Strict", "DeepSeek-Strict"):
    for file in ("corpus", "foreign"):
        tools = json.loads((written / f"{dialect}.{file}.json").read_text())
        draws = [drawn(tool["tool"], json.dumps(parameters(tool["definition"]))) for tool in tools]
        (written / f"{dialect}.{file}.drawn.json").write_text(json.dumps(draws, indent=1))
        print(f"llguidance: {dialect}: {sum(len(draw['texts']) for draw in draws)} texts for {len(draws)} of {file}")
        for draw in draws:
            if draw["missing"]:
                print(f"  NOTHING IS DRAWN: {draw['tool']}: {', '.join(draw['missing'])}")
            failed |= bool(draw["missing"])
sys.exit(1 if failed else 0)
