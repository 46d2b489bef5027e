import { readFileSync, writeFileSync } from 'node:fs';
import { releaseRefusals } from './breaks.ts';

/** Makes the current document the last release, if it breaks no client and has a version of its own. */
const project = new URL('../../../', import.meta.url);
const released = new URL('released/openapi.json', project);
const current = readFileSync(new URL('openapi.json', project), 'utf8');
const refusals = releaseRefusals(JSON.parse(readFileSync(released, 'utf8')), JSON.parse(current));
if (refusals.length === 0) writeFileSync(released, current);
else {
  process.stderr.write(`This cannot be released:\n${refusals.map((line) => `  ${line}\n`).join('')}`);
  process.exitCode = 1;
}
