import { createListClientIds } from '#shared/clients/client-directory.ts';
import { heads } from '#shared/operators/measured-ages.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { eachCall } from '#shared/platform/each-call.ts';
import { setting } from '#shared/platform/environment.ts';
import { gaugesLine } from '#shared/platform/gauges.ts';
import { measureAges } from './measure-ages.ts';

export function wire(
  { dynamo, writeLine }: Pick<AwsClients, 'dynamo'> & { readonly writeLine: (line: string) => void },
  clock: Clock,
) {
  const namespace = setting('METRICS_NAMESPACE');
  const tables = {
    operations: setting('OPERATIONS_TABLE'),
    deposits: setting('DEPOSITS_TABLE'),
    payins: setting('PAYINS_TABLE'),
    events: setting('EVENTS_TABLE'),
    deliveries: setting('DELIVERIES_TABLE'),
  };
  const measure = measureAges({
    dynamo,
    tables,
    heads,
    listClientIds: createListClientIds(dynamo, setting('CLIENTS_TABLE')),
    clock,
  });
  return eachCall(
    'measure-ages',
    clock,
    async () => {
      const gauges = await measure();
      writeLine(gaugesLine(namespace, gauges, clock.now()));
      return Object.keys(gauges).length;
    },
    (measured) => ({ measured }),
  );
}

export const handler = wire({ dynamo, writeLine: (line) => process.stdout.write(`${line}\n`) }, systemClock);
