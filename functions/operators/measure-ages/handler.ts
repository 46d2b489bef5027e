import { createListClientIds } from '#shared/clients/client-directory.ts';
import { measuredIndexes } from '#shared/operators/measured-ages.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment } from '#shared/platform/environment.ts';
import { gaugesLine, logEachCall } from '#shared/platform/logger.ts';
import { measureAges } from './measure-ages.ts';

export function wire(
  { dynamo, writeLine }: Pick<AwsClients, 'dynamo'> & { readonly writeLine: (line: string) => void },
  clock: Clock,
) {
  const env = environment({ metricsNamespace: 'METRICS_NAMESPACE', clientsTable: 'CLIENTS_TABLE' });
  const tables = environment({
    operations: 'OPERATIONS_TABLE',
    deposits: 'DEPOSITS_TABLE',
    payins: 'PAYINS_TABLE',
    events: 'EVENTS_TABLE',
    deliveries: 'DELIVERIES_TABLE',
  });
  const measure = measureAges({
    dynamo,
    tables,
    indexes: measuredIndexes,
    listClientIds: createListClientIds(dynamo, env.clientsTable),
    clock,
  });
  return logEachCall(
    'measure-ages',
    clock,
    async () => {
      const gauges = await measure();
      writeLine(gaugesLine(env.metricsNamespace, gauges, clock.now()));
      return Object.keys(gauges).length;
    },
    (measured) => ({ measured }),
  );
}

export const handler = wire({ dynamo, writeLine: (line) => process.stdout.write(`${line}\n`) }, systemClock);
