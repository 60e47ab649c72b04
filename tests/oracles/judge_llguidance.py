"""A constrained decoder, as servers of open models and providers run one: it compiles what a strict mode is sent."""

import json

from llguidance import LLMatcher, LLTokenizer
from report import end, judged, parameters

tokenizer = LLTokenizer("byte")


def judge(definition):
    grammar = LLMatcher.grammar_from_json_schema(json.dumps(parameters(definition)))
    return LLMatcher.validate_grammar(grammar, tokenizer)


for dialect in ("OpenAiChat-Strict", "OpenAiResponses-Strict", "Anthropic-Strict", "DeepSeek-Strict"):
    judged("llguidance", dialect, judge)
end()
