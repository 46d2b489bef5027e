import { parseArgs } from 'node:util';
import { functionLogs } from './function-logs.ts';
import { readOutputs } from './local-outputs.ts';
import { logRecords } from './log-records.ts';

const USAGE = `npm run logs [-- options] [-- text]
  Prints what the functions of a running npm start have logged, oldest first: everything, or what has the text in it.
  --port <port>       the run on this port (the one started last)`;

process.exitCode = await main();

async function main(): Promise<number> {
  try {
    const { values, positionals } = parseArgs({ options: { port: { type: 'string' } }, allowPositionals: true });
    const [text = ''] = positionals;
    const { awsEndpoint } = await readOutputs(values.port);
    const records = (await functionLogs(awsEndpoint))
      .flatMap(logRecords)
      .filter((record) => record.text.includes(text));
    for (const { at, group, text: said } of records.toSorted((one, other) => one.at - other.at)) {
      process.stdout.write(`${new Date(at).toISOString()}  ${group.replace(/^.*\//, '')}  ${said}\n`);
    }
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${USAGE}\n`);
    return 1;
  }
}
