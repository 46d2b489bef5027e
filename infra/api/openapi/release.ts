import { readFileSync, writeFileSync } from 'node:fs';
import { breaksBetween } from './breaks.ts';

/** The document of the last release becomes the current one, if that breaks no client. */
const project = new URL('../../../', import.meta.url);
const released = new URL('released/openapi.json', project);
const current = readFileSync(new URL('openapi.json', project), 'utf8');
const breaks = breaksBetween(JSON.parse(readFileSync(released, 'utf8')), JSON.parse(current));
if (breaks.length === 0) writeFileSync(released, current);
else {
  process.stderr.write(`This breaks clients of the last release:\n${breaks.map((line) => `  ${line}\n`).join('')}`);
  process.exitCode = 1;
}
