import { randomUUID } from 'node:crypto';
import type { Custodians } from '#shared/off-ramps/custodians/custodian.ts';
import { taggingCustodians } from '#shared/off-ramps/custodians/custodians.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { createSlots } from '#shared/platform/dynamodb/slots.ts';
import { environment } from '#shared/platform/environment.ts';
import { logEachCall } from '#shared/platform/logger.ts';
import { fillTagPool } from './fill-tag-pool.ts';

export function wire(
  {
    dynamo,
    custodians,
    writeLine,
  }: Pick<AwsClients, 'dynamo'> & {
    readonly custodians: Custodians<'fillTagPool'>;
    readonly writeLine: (line: string) => void;
  },
  clock: Clock,
  newId: () => string,
) {
  const env = environment({ slotsTable: 'SLOTS_TABLE', metricsNamespace: 'METRICS_NAMESPACE' });
  const { metricsNamespace } = env;
  const slots = createSlots(dynamo, env.slotsTable, clock);
  return logEachCall(
    'fill-tag-pool',
    clock,
    fillTagPool({ custodians, slots, writeLine, metricsNamespace, newId, clock }),
    (levels) => Object.fromEntries(levels.map(({ pool, free }) => [pool, free])),
  );
}

export const handler = wire(
  {
    dynamo,
    custodians: taggingCustodians(systemClock),
    writeLine: (line) => process.stdout.write(`${line}\n`),
  },
  systemClock,
  randomUUID,
);
