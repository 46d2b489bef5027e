import { parseArgs } from 'node:util';
import { awsOf, readOutputs } from '#infra/cli/local-outputs.ts';
import { typed } from '#infra/cli/typed.ts';
import { functionLogs } from './function-logs.ts';
import { logRecords } from './log-records.ts';

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
    const records = (await functionLogs(awsOf(await readOutputs(values.port))))
      .flatMap(logRecords)
      .filter((record) => record.text.includes(sought));
    for (const { at, group, text: said } of records.toSorted((one, other) => one.at - other.at)) {
      process.stdout.write(`${new Date(at).toISOString()}  ${group.replace(/^.*\//, '')}  ${said}\n`);
    }
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    return 1;
  }
}
