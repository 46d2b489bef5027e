import { parseArgs } from 'node:util';
import { awsOf, readOutputs } from '#infra/cli/local-outputs.ts';
import { readOptionsOrExit } from '#infra/cli/read-options.ts';
import { functionLogs } from './function-logs.ts';
import { matchingLines, nothingFoundMessage, unreadableLogsReason } from './log-records.ts';

const USAGE = `npm run logs [-- options] [-- text]
  Prints what the functions of a running npm start have logged, oldest first: everything, or what has the text in it.
  --port <port>       the run on this port (the one started last)
  --help              print this`;

const {
  values,
  positionals: [sought = ''],
} = readOptionsOrExit(USAGE, () => parseArgs({ options: { port: { type: 'string' } }, allowPositionals: true }));
process.exitCode = await main();

async function main(): Promise<number> {
  try {
    const lines = matchingLines(sought, await functionLogs(awsOf(await readOutputs(values.port))));
    for (const line of lines) process.stdout.write(`${line}\n`);
    if (lines.length === 0) process.stderr.write(`${nothingFoundMessage(sought)}\n`);
    return 0;
  } catch (error) {
    process.stderr.write(`${unreadableLogsReason(error)}\n`);
    return 1;
  }
}
