"""google-genai's model of a function declaration refuses unknown fields and types: it takes the whole, and drops nothing."""

import warnings

from google.genai import types
from report import difference, end, fail, judged


# It only warns of a type that it does not know.
warnings.simplefilter("error")


def as_the_library_spells_it(node):
    """It spells types in capitals and reads them in either case; and its numbers are doubles, as those of the API are."""
    if isinstance(node, dict):
        return {
            key: value.lower() if key == "type" and isinstance(value, str) else as_the_library_spells_it(value)
            for key, value in node.items()
        }
    if isinstance(node, list):
        return [as_the_library_spells_it(value) for value in node]
    return float(node) if isinstance(node, int) and not isinstance(node, bool) else node


# Gemini's documentation lists `prefixItems`, and the library's model of JSON Schema does not: what stands in it is judged as
# branches are, which are a list of schemas too.
prefixed = 0


def with_known_words(node):
    global prefixed
    if isinstance(node, list):
        return [with_known_words(value) for value in node]
    if not isinstance(node, dict):
        return node
    known = {key: with_known_words(value) for key, value in node.items()}
    if isinstance(known.get("prefixItems"), list):
        prefixed += 1
        known["anyOf"] = known.pop("prefixItems")
    return known


def judge(definition):
    if (schema := definition.get("parametersJsonSchema")) is not None:
        types.JSONSchema.model_validate(with_known_words(schema))
    declaration = types.FunctionDeclaration.model_validate(definition)
    back = declaration.model_dump(mode="json", by_alias=True, exclude_unset=True)
    return difference(as_the_library_spells_it(definition), as_the_library_spells_it(back))


for dialect in ("Gemini-OpenApi", "Gemini-JsonSchema"):
    judged("google-genai", dialect, judge)
if prefixed == 0:
    fail("no definition has prefixItems any more: take it out of what is let pass")
end()
