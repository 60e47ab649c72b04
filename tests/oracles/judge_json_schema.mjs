// What is sent is JSON Schema: ajv compiles it as a client would, and knows every format.

import Ajv from 'ajv';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { dialects, judged, parameters } from './report.mjs';

// It only warns of a format that it does not know.
const logger = {
  log() {},
  warn(words) {
    throw new Error(words);
  },
  error() {},
};

// Gemini's `parameters` are no JSON Schema but a part of OpenAPI 3.0.
for (const dialect of dialects().filter((dialect) => dialect !== 'Gemini-OpenApi')) {
  const [draft07, draft202012] = [Ajv, Ajv2020].map((Reader) => addFormats(new Reader({ strict: false, logger })));
  judged('ajv', dialect, (definition) => {
    for (const schema of [parameters(definition), definition.outputSchema]) {
      if (schema === undefined) continue;
      const ajv = schema.$schema?.includes('draft-07') ? draft07 : draft202012;
      ajv.compile(schema);
    }
  });
}
