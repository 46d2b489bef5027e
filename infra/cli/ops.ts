import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { systemClock } from '#shared/platform/clock.ts';
import { bypassProxy } from './bypass-proxy.ts';
import { findService } from './find-service.ts';
import { personAt } from './person.ts';
import { runOps } from './run-ops.ts';
import { makeSecretFile } from './secret-file.ts';

bypassProxy();
const { stdin, stdout, stderr } = process;

process.exitCode = await runOps(process.argv.slice(2), {
  print: (text) => void stdout.write(text),
  columns: stdout.columns,
  say: (text) => void stderr.write(text),
  person: stdin.isTTY && stderr.isTTY ? personAt(stdin, stderr) : undefined,
  read: (file) => (file === '-' ? text(stdin) : readFile(file, 'utf8')),
  clock: systemClock,
  makeSecretFile,
  findService,
  untilStopped: () => Promise.race(['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => once(process, signal))),
});
