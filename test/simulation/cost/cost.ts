import { parseArgs } from 'node:util';
import { readOptionsOrExit, wholeNumber } from '#infra/cli/read-options.ts';
import { MOST_ACTIVE_WEBHOOKS } from '#shared/webhooks/model/webhook.ts';
import { deployed } from '#test/simulation/service/deployed.ts';
import { readTopology } from '#test/simulation/topology/read-topology.ts';
import { synthesiseStaging } from '#test/simulation/topology/synthesise.ts';
import { costOf, fixedCosts, total, usageOf } from './estimate.ts';
import { PRICED_ON } from './prices.ts';
import { type Course, courses as courseNames } from './scripts.ts';
import { type CourseCosts, tableOf } from './table.ts';

const USAGE = `npm run cost [-- options]
  --off-ramps <number>    completed in a month, each with a deposit that is reported and notified (1000000)
  --pay-ins <number>      paid in a month (1000000)
  --never-found <number>  off-ramps in a month whose reported hash no transaction has (0)
  --never-paid <number>   pay-ins in a month that nobody pays, and that the rail always reports as open (0)
  --webhooks <number>     of a client, each with all events (1)
  --json                  print units and dollars as JSON
  --help                  print this

Plays some of each without faults, counts what AWS charges for, and prints dollars at the list prices of ${PRICED_ON}.`;

const options = readOptionsOrExit(USAGE, () => {
  const { values } = parseArgs({
    options: {
      'off-ramps': { type: 'string', default: '1000000' },
      'pay-ins': { type: 'string', default: '1000000' },
      'never-found': { type: 'string', default: '0' },
      'never-paid': { type: 'string', default: '0' },
      webhooks: { type: 'string', default: '1' },
      json: { type: 'boolean', default: false },
    },
  });
  const number = (name: 'off-ramps' | 'pay-ins' | 'never-found' | 'never-paid' | 'webhooks', most?: number) =>
    wholeNumber(`--${name}`, values[name], { least: 0, ...(most !== undefined && { most }) });
  const month: Readonly<Record<Course, number>> = {
    offRamp: number('off-ramps'),
    payIn: number('pay-ins'),
    neverFound: number('never-found'),
    neverPaid: number('never-paid'),
  };
  return { month, webhooks: number('webhooks', MOST_ACTIVE_WEBHOOKS), json: values.json };
});

const templates = synthesiseStaging();
const topology = readTopology(templates);
const service = await deployed(topology);
const courses: CourseCosts[] = [];
for (const course of courseNames) {
  const units = await usageOf(service, course, options.webhooks);
  courses.push({ course, month: options.month[course], units, costs: costOf(units) });
}
const fixed = fixedCosts(templates, topology);

if (options.json) {
  const each = courses.map(({ course, month, units, costs }) => ({
    course,
    month,
    perMillion: 1e6 * total(costs),
    lines: Object.fromEntries(costs),
    units: Object.fromEntries(units),
  }));
  process.stdout.write(`${JSON.stringify({ pricedOn: PRICED_ON, courses: each, fixed: Object.fromEntries(fixed) })}\n`);
} else process.stdout.write(tableOf(courses, fixed));
