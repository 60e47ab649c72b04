// Anthropic's JavaScript library moves into the description what strict mode cannot say: there is nothing to move, but for
// what it moves although Anthropic's documentation lists it.

import { transformJSONSchema } from '@anthropic-ai/sdk/lib/transform-json-schema';
import { difference, fail, judged, parameters } from './report.mjs';

// What the documentation takes and the library does not know. `type` is only beside `enum` and `const`, which imply it.
const leniency = { pattern: 0, default: 0, type: 0 };

function asTheLibraryKnowsIt(node) {
  const isLiteral = 'enum' in node || 'const' in node;
  const known = {};
  for (const [keyword, value] of Object.entries(node)) {
    if (keyword === 'pattern' || keyword === 'default' || (keyword === 'type' && isLiteral)) leniency[keyword] += 1;
    else if (keyword === 'properties' || keyword === '$defs') known[keyword] = mapped(value);
    else if (keyword === 'anyOf' || keyword === 'allOf') known[keyword] = value.map(asTheLibraryKnowsIt);
    else if (keyword === 'items') known[keyword] = asTheLibraryKnowsIt(value);
    else known[keyword] = value;
  }
  return known;
}

function mapped(schemas) {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, asTheLibraryKnowsIt(schema)]));
}

judged('anthropic (js)', 'Anthropic-Strict', (definition) => {
  const schema = asTheLibraryKnowsIt(parameters(definition));
  return difference(schema, transformJSONSchema(schema));
});
for (const [keyword, times] of Object.entries(leniency)) {
  if (times === 0) fail(`no definition has ${keyword} any more: take it out of what is let pass`);
}
