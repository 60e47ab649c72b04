// OpenAI's JavaScript library refuses, with a place, what strict mode cannot say, and rewrites what it can: nothing is left
// to rewrite.

import { toStrictJsonSchema } from 'openai/lib/transform';
import { difference, judged, parameters } from './report.mjs';

for (const dialect of ['OpenAiChat-Strict', 'OpenAiResponses-Strict', 'DeepSeek-Strict']) {
  judged('openai (js)', dialect, (definition) => {
    const schema = parameters(definition);
    return difference(schema, toStrictJsonSchema(schema));
  });
}
