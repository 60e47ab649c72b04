"""google-genai's model of a function declaration refuses unknown fields and types: it takes the whole, and drops nothing."""

from google.genai import types
from report import difference, end, judged


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


def judge(definition):
    declaration = types.FunctionDeclaration.model_validate(definition)
    back = declaration.model_dump(mode="json", by_alias=True, exclude_unset=True)
    return difference(as_the_library_spells_it(definition), as_the_library_spells_it(back))


for dialect in ("Gemini-OpenApi", "Gemini-JsonSchema"):
    judged("google-genai", dialect, judge)
end()
