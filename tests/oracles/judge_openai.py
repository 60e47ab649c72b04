"""OpenAI's Python library rewrites a schema into a strict one, and checks little: nothing is left to rewrite."""

import copy

from openai.lib._pydantic import _ensure_strict_json_schema
from report import difference, end, judged, parameters


def judge(definition):
    schema = parameters(definition)
    strict = copy.deepcopy(schema)
    return difference(schema, _ensure_strict_json_schema(strict, path=(), root=strict))


for dialect in ("OpenAiChat-Strict", "OpenAiResponses-Strict", "DeepSeek-Strict"):
    judged("openai (py)", dialect, judge)
end()
