import { beforeAll, describe, expect, inject, test } from 'vitest';
import type { Deployed } from '#test/simulation/aws/aws-in-memory.ts';
import { deployed } from '#test/simulation/service/deployed.ts';
import { synthesise } from '#test/simulation/topology/synthesise.ts';
import { type Failure, failures, withDeadEndpoint, withDeployment } from './failures.ts';
import { BEGINNING, fewOrders, quietDays, refusedOrders } from './orders.ts';
import { type Alarms, readAlarms } from './read-alarms.ts';
import { callsIn } from './watch.ts';

const MINUTE = 60_000;

/** The most minutes between lateness and the first call. */
const LONGEST = 15;

let service: Deployed;
let alarms: Alarms;
beforeAll(async () => {
  service = await deployed(inject('topology'));
  alarms = readAlarms(synthesise('prod'));
});

async function callsAfter({ change, isKeyDisabled }: Pick<Failure, 'change' | 'isKeyDisabled'>) {
  const script = change(fewOrders());
  const calls = await callsIn(service, alarms, { script, from: BEGINNING, ...(isKeyDisabled && { isKeyDisabled }) });
  return calls.map(({ alarm, at }) => ({ alarm, minutes: Math.round((at - BEGINNING) / MINUTE) }));
}

describe('within a quarter of an hour after something is late, somebody is called', () => {
  test.each(failures)('when $name', async (failure) => {
    const calls = await callsAfter(failure);
    const first = calls.find(({ alarm }) => [undefined, alarm].includes(failure.calls));
    expect(first?.minutes, 'the first call').toBeLessThanOrEqual(failure.lateAfter + LONGEST);
  });
});

describe('nobody is called', () => {
  test('while all is well', async () => {
    expect(await callsAfter({ change: (script) => script })).toEqual([]);
  });

  test('when the endpoint of a client fails', async () => {
    expect(await callsAfter({ change: withDeadEndpoint })).toEqual([]);
  });

  test('when a client orders pay-ins that the rail refuses', async () => {
    expect(await callsAfter({ change: refusedOrders })).toEqual([]);
  });

  test('because of a deployment', async () => {
    expect(await callsAfter({ change: withDeployment })).toEqual([]);
  });

  test('in two days with an off-ramp an hour, and nights without any', async () => {
    expect(await callsAfter({ change: quietDays })).toEqual([]);
  });
});
