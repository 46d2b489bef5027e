import { parseArgs } from 'node:util';
import { createCallHttps } from '#shared/platform/call-https.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { startWompiDouble } from './start-wompi-double.ts';
import type { WompiEvent } from './wompi-event.ts';

/*
 * `node --import ./infra/check-node.mjs test/doubles/wompi/serve.ts --notify <url> [--port <port>] [--by-hand]`: the double
 * as a program of its own. It prints one line of JSON when it listens, and ends when its stdin closes or on SIGTERM. With
 * `--by-hand` no test value decides a payment, only `POST /_double/payments/{reference}`.
 */
const { values } = parseArgs({
  options: { notify: { type: 'string' }, port: { type: 'string', default: '0' }, 'by-hand': { type: 'boolean' } },
});

const call = createCallHttps(systemClock, { milliseconds: 10_000, bytes: 65_536 });

async function post(url: string, { headers, body }: WompiEvent): Promise<boolean> {
  return (await call({ url, method: 'POST', headers, body })).status === 200;
}

const { notify: target } = values;
const { url, credentials, stop } = await startWompiDouble({
  clock: systemClock,
  random: systemClock.random,
  port: Number(values.port),
  outcomes: values['by-hand'] ? 'BY_HAND' : 'SANDBOX',
  ...(target === undefined ? {} : { notify: (event) => post(target, event), hasRetries: true }),
});

process.stdout.write(`${JSON.stringify({ url, credentials })}\n`);

/** Exits without waiting for the timers of payments and retries. */
const end = () => void stop().then(() => process.exit(0));
process.once('SIGTERM', end);
process.stdin.once('close', end).once('end', end).resume();
