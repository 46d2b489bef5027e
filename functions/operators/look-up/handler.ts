import { SQSClient } from '@aws-sdk/client-sqs';
import { createFindClient } from '#shared/clients/client-repository.ts';
import { heldSinceSetting } from '#shared/off-ramps/custodians/returns-setting.ts';
import { type AwsClients, awsClientOptions, NIL_UUID, warmUp } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment, setting } from '#shared/platform/environment.ts';
import { createLookAtDeadLetters } from './list-dead-letters.ts';
import { lookUp } from './look-up.ts';

export function wire({ dynamo, sqs }: Pick<AwsClients, 'dynamo' | 'sqs'>, clock: Clock) {
  const tables = environment({
    clients: 'CLIENTS_TABLE',
    operations: 'OPERATIONS_TABLE',
    hashes: 'HASHES_TABLE',
    deposits: 'DEPOSITS_TABLE',
    payins: 'PAYINS_TABLE',
    events: 'EVENTS_TABLE',
    webhooks: 'WEBHOOKS_TABLE',
    webhookHealth: 'WEBHOOK_HEALTH_TABLE',
    deliveries: 'DELIVERIES_TABLE',
    audit: 'AUDIT_TABLE',
    proposals: 'PROPOSALS_TABLE',
  });
  const lookAtDeadLetters = createLookAtDeadLetters(sqs, setting('DEAD_LETTERS'));
  return lookUp({ dynamo, tables, lookAtDeadLetters, clock, ...heldSinceSetting() });
}

await warmUp(createFindClient(dynamo, setting('CLIENTS_TABLE'))(NIL_UUID));
export const handler = wire({ dynamo, sqs: new SQSClient(awsClientOptions) }, systemClock);
