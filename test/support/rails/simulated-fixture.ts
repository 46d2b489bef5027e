import { generateKeyPairSync, sign } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createSimulatedPayments } from '#shared/pay-ins/rails/simulated/payments.ts';
import {
  simulatedRailNotification,
  simulatedReadRailNotification,
} from '#shared/pay-ins/rails/simulated/rail-notifications.ts';
import { RAIL_SIGNATURE_HEADER } from '#shared/pay-ins/rails/simulated/simulated-rail-deployment.ts';
import { awsClientOptions } from '#shared/platform/aws/aws-clients.ts';
import { documentClient } from '#shared/platform/dynamodb/client.ts';
import { fakeDynamo } from '#test/support/fake-dynamo.ts';
import { tablesInMemory } from '#test/support/tables-in-memory.ts';
import type { RailFixture } from './rail-fixture.ts';

const TABLE = 'simulatedPayments';

const credentials = { accessKeyId: 'AKIATRIED', secretAccessKey: 'kept-from-errors' };

const keyPair = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
const [own, foreign] = [keyPair(), keyPair()];

/** A detached JWS of a notification, in its header. */
function notification(body: string, by = own) {
  const [header, payload] = ['{"alg":"RS512"}', body].map((text) => Buffer.from(text).toString('base64url'));
  const signature = sign('sha512', Buffer.from(`${header}.${payload}`), by.privateKey).toString('base64url');
  return {
    rawBody: Buffer.from(body),
    headers: new Map([[RAIL_SIGNATURE_HEADER, `${header}..${signature}`]]),
    query: {},
  };
}

/** The simulated rail, on a table in memory; its server is DynamoDB. */
export const simulatedFixture: RailFixture = {
  name: 'simulated',
  cannot: {
    'a pause': 'DynamoDB requests none',
    'an empty answer': 'so DynamoDB says that there is no item',
    'an answer without an end': 'DynamoDB is trusted with the length of its answers',
    'no second refusal': 'it refuses by the phone, which a pay-in keeps',
    banks: 'the stage has a list of its own',
    'a preparation': 'nothing has to be accepted',
  },
  start: async (clock) => {
    const { dynamo, table } = tablesInMemory();
    const readNotification = simulatedReadRailNotification(async () => own.publicKey);
    const of = (client: typeof dynamo) => ({ ...createSimulatedPayments(client, TABLE, clock), readNotification });
    const { change } = of(dynamo);
    return {
      rail: () => of(dynamo),
      at: (endpoint) => {
        const options = { ...awsClientOptions, endpoint, credentials, region: 'us-east-1', maxAttempts: 1 };
        return of(documentClient(new DynamoDBClient(options)));
      },
      changed: async (how) => of(fakeDynamo(async () => ({ Item: how(table(TABLE).items()[0]) })).client),
      secrets: Object.values(credentials),
      of: {},
      unanswered: () => ({ paymentMethod: 'NEQUI', phone: '3990000503' }),
      refused: { payin: { paymentMethod: 'NEQUI', phone: '3990000502' } },
      count: () => table(TABLE).items().length,
      become: async (reference, to) => void (await change(reference, to)),
      takeBack: async (reference) => void (await change(reference, { status: 'FAILED', amount: '1' })),
      notifications: async (reference) => ({
        ours: notification(simulatedRailNotification(reference)),
        others: notification('{"event":"bank.maintenance"}'),
      }),
      forged: ({ rawBody }) => [notification(String(rawBody), foreign)],
    };
  },
};
