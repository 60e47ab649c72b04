// What every judge in JavaScript shares: the definitions, and a line for each dialect. `report.py` is the same in Python.

import fs from 'node:fs';
import path from 'node:path';

const [, , written] = process.argv;
const known = JSON.parse(fs.readFileSync(new URL('known.json', import.meta.url)));

/** The schema of a tool's arguments, wherever its dialect puts it; undefined where it has none. */
export function parameters(definition) {
  const tool = definition.function ?? definition;
  return tool.parameters ?? tool.parametersJsonSchema ?? tool.input_schema ?? tool.inputSchema;
}

/** Every dialect that something was written for. */
export function dialects() {
  const ofCorpus = fs.readdirSync(written).filter((file) => file.endsWith('.corpus.json'));
  if (ofCorpus.length === 0) throw new Error(`nothing was written to ${written}`);
  return ofCorpus.map((file) => file.slice(0, -'.corpus.json'.length)).sort();
}

/** Judges what was written in a dialect: `judge` gets a definition of its own, and returns why it refuses it, or throws. */
export function judged(oracle, dialect, judge) {
  const ofDialect = (file) => JSON.parse(fs.readFileSync(path.join(written, `${dialect}.${file}.json`)));
  const tools = ['corpus', 'foreign', 'files'].flatMap(ofDialect);
  const refused = new Map();
  for (const { tool, definition } of tools) {
    try {
      const why = judge(structuredClone(definition));
      if (why) refused.set(tool, why);
    } catch (error) {
      refused.set(tool, error.message.replace(/\s+/g, ' '));
    }
  }
  const ofOracle = known.filter((entry) => entry.oracle === oracle && entry.dialects.includes(dialect));
  const expected = new Map(ofOracle.flatMap(({ tools, why }) => tools.map((tool) => [tool, why])));
  console.log(`${oracle}: ${dialect}: ${tools.length - refused.size} of ${tools.length} accepted`);
  if (tools.length < 80) fail(`  only ${tools.length} definitions were written`);
  for (const [tool, why] of refused) {
    if (expected.has(tool)) console.log(`  known: ${tool}: ${expected.get(tool)}`);
    else fail(`  REFUSED: ${tool}: ${why}`);
  }
  for (const tool of expected.keys()) {
    if (!refused.has(tool)) fail(`  ${tool} is accepted, or no more: take it out of known.json`);
  }
}

export function fail(words) {
  console.log(words);
  process.exitCode = 1;
}

/** Where two JSON values differ first, or undefined. The order of keys counts: models write in it. */
export function difference(before, after, at = '') {
  if (typeof before !== 'object' || typeof after !== 'object' || before === null || after === null) {
    return before === after ? undefined : `${at || '/'}: ${text(before)} becomes ${text(after)}`;
  }
  const [keys, others] = [Object.keys(before), Object.keys(after)];
  for (const key of new Set([...keys, ...others])) {
    const found = difference(before[key], after[key], `${at}/${key}`);
    if (found) return found;
  }
  if (at.endsWith('/properties') && keys.join() !== others.join()) return `${at}: ${keys} become ${others}`;
  return undefined;
}

function text(value) {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
