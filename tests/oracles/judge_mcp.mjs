// The schema of `Tool` in the libraries of each revision: a definition is parsed, and nothing of it is dropped.

import { ToolSchema as newest } from '@modelcontextprotocol/core';
import * as v2024_11_05 from 'mcp-2024-11-05/types.js';
import * as v2025_03_26 from 'mcp-2025-03-26/types.js';
import * as v2025_06_18 from 'mcp-2025-06-18/types.js';
import * as v2025_11_25 from 'mcp-2025-11-25/types.js';
import { difference, fail, judged } from './report.mjs';

const revisions = { '2024-11-05': v2024_11_05, '2025-03-26': v2025_03_26, '2025-06-18': v2025_06_18, '2025-11-25': v2025_11_25 };

function isWhole(schema) {
  return (definition) => difference(definition, schema.parse(definition));
}

for (const [revision, { LATEST_PROTOCOL_VERSION, ToolSchema }] of Object.entries(revisions)) {
  if (LATEST_PROTOCOL_VERSION !== revision) fail(`the library for ${revision} is one for ${LATEST_PROTOCOL_VERSION}`);
  judged('mcp (js)', `Mcp-V${revision.replaceAll('-', '_')}`, isWhole(ToolSchema));
}

// The 2.x line has one schema for every revision that it speaks.
judged('mcp (js)', 'Mcp-V2026_07_28', isWhole(newest));
