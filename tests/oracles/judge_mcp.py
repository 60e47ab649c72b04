"""The models that the MCP library generates from the published schema of a revision: a definition is read, and nothing of it
is dropped. Revisions before 2025-11-25 are read by its model too, which is what that library does."""

from mcp_types import _v2025_11_25, _v2026_07_28
from report import difference, end, judged

MODELS = {
    "Mcp-V2024_11_05": _v2025_11_25,
    "Mcp-V2025_03_26": _v2025_11_25,
    "Mcp-V2025_06_18": _v2025_11_25,
    "Mcp-V2025_11_25": _v2025_11_25,
    "Mcp-V2026_07_28": _v2026_07_28,
}

for dialect, model in MODELS.items():

    def judge(definition):
        tool = model.Tool.model_validate(definition)
        return difference(definition, tool.model_dump(mode="json", by_alias=True, exclude_unset=True))

    judged("mcp (py)", dialect, judge)
end()
