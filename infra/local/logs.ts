import { parseArgs } from 'node:util';
import { awsOf, readOutputs } from '#infra/cli/local-outputs.ts';
import { typed } from '#infra/cli/typed.ts';
import { functionLogs } from './function-logs.ts';
import { linesWith, noLines, whyUnread } from './log-records.ts';

const USAGE = `npm run logs [-- options] [-- text]
  Prints what the functions of a running npm start have logged, oldest first: everything, or what has the text in it.
  --port <port>       the run on this port (the one started last)
  --help              print this`;

const {
  values,
  positionals: [sought = ''],
} = typed(USAGE, () => parseArgs({ options: { port: { type: 'string' } }, allowPositionals: true }));
process.exitCode = await main();

async function main(): Promise<number> {
  try {
    const lines = linesWith(sought, await functionLogs(awsOf(await readOutputs(values.port))));
    for (const line of lines) process.stdout.write(`${line}\n`);
    if (lines.length === 0) process.stderr.write(`${noLines(sought)}\n`);
    return 0;
  } catch (error) {
    process.stderr.write(`${whyUnread(error)}\n`);
    return 1;
  }
}
