import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type SimulatedOutcome, simulatedOutcomes } from '#shared/off-ramps/custodians/simulated/outcomes.ts';
import { putSimulatedTransfer } from '#shared/off-ramps/custodians/simulated/put-transaction.ts';
import { simulatedMovements, simulatedSendings } from '#shared/off-ramps/custodians/simulated/sendings.ts';
import { simulatedDepositAddress } from '#shared/off-ramps/custodians/simulated/simulated-custodian.ts';
import { simulatedAccount } from '#shared/off-ramps/custodians/simulated/simulated-custodian-deployment.ts';
import {
  simulatedAssetId,
  simulatedMinimums,
  simulatedTransactions,
  simulatedTransferId,
} from '#shared/off-ramps/custodians/simulated/transactions.ts';
import { awsClientOptions } from '#shared/platform/aws/aws-clients.ts';
import { documentClient } from '#shared/platform/dynamodb/client.ts';
import { fakeDynamo } from '#test/support/fake-dynamo.ts';
import { CLIENT, OPERATION, STRANGER, USER } from '#test/support/ids.ts';
import { SENDER_ADDRESS } from '#test/support/off-ramp.ts';
import { tablesInMemory } from '#test/support/tables-in-memory.ts';
import type { CustodianFixture, Payment } from './custodian-fixture.ts';

const TABLE = 'simulatedTransactions';

const credentials = { accessKeyId: 'none', secretAccessKey: 'none' };

const ofUser = {
  clientId: CLIENT,
  userId: USER,
  network: 'ETHEREUM',
  custodianAssetId: '',
  hasEnded: async () => undefined,
} as const;

/** The simulated custodian, on a table in memory; its server is DynamoDB. */
export const simulatedFixture: CustodianFixture = {
  name: 'simulated',
  cannot: {
    GONE: 'nothing is ever removed from its table',
    'a pause': 'DynamoDB requests none',
    'an empty answer': 'so DynamoDB says that there is no item',
    'an answer without an end': 'DynamoDB is trusted with the length of its answers',
    'a failure after the hash': 'a failed sending has no hash there',
    'a balance': 'it would have to add up all movements',
  },
  start: async (clock) => {
    const { dynamo, table } = tablesInMemory();
    const put = putSimulatedTransfer(dynamo, TABLE, clock);
    const of = (client: typeof dynamo) => ({ name: 'simulated', ...simulatedTransactions(client, TABLE, clock) });
    const [one, other] = await Promise.all(
      [OPERATION, STRANGER].map((operationId) => simulatedDepositAddress({ operationId, ...ofUser })),
    );
    let made = 0;
    const pay = async ({ to, amount, decimals, state, tag }: Payment) => {
      made += 1;
      const hash = made.toString(16).padStart(64, '0');
      const [network, txHash] = tag === undefined ? (['ETHEREUM', `0x${hash}`] as const) : (['STELLAR', hash] as const);
      const assetId = simulatedAssetId(network, `T${decimals}`);
      const confirmations = state === 'CONFIRMED' ? simulatedMinimums[network] : 0;
      const about = { network, txHash, state, fromAddress: SENDER_ADDRESS, assetId, amount, confirmations };
      for (const [number, toAddress] of to.entries()) {
        const custodianTransferId = simulatedTransferId(network, txHash, number);
        const transfer = { ...about, custodianTransferId, toAddress, ...(tag !== undefined && { toTag: tag }) };
        await put({ number, transfer, isUnavailable: false }, { clientId: CLIENT, depositId: custodianTransferId });
      }
      return { network, txHash, assetId };
    };
    const clientAt = (endpoint: string) => {
      const options = { ...awsClientOptions, endpoint, credentials, region: 'us-east-1', maxAttempts: 1 };
      return documentClient(new DynamoDBClient(options));
    };
    const sender = (client: typeof dynamo) => ({ name: 'simulated', ...simulatedSendings(client, TABLE, clock) });
    const outcomes = simulatedOutcomes(dynamo, TABLE);
    const decide = (externalId: string, outcome: SimulatedOutcome) =>
      Promise.all([outcomes.put(externalId.slice(0, 36), ''), outcomes.decide(externalId.slice(0, 36), outcome)]);
    return {
      sending: {
        sender: () => sender(dynamo),
        at: (url) => sender(clientAt(url)),
        losing: async (externalId) => {
          await decide(externalId, 'TIMEOUT');
          const { send, ...rest } = sender(dynamo);
          return { ...rest, send: (order) => send(order).finally(() => decide(externalId, 'COMPLETED')) };
        },
        order: (externalId) => ({
          externalId,
          network: 'ETHEREUM',
          assetId: simulatedAssetId('ETHEREUM', 'T6'),
          amount: '1.5',
          from: simulatedAccount('ETHEREUM'),
          to: { address: SENDER_ADDRESS },
        }),
        end: async (externalId, ending) => {
          const outcome = ending === 'REFUSED' ? 'DECLINED' : ending === 'COMPLETED' ? ending : 'FAILED';
          await decide(externalId, outcome);
          clock.advance(2);
        },
        books: () => ({ name: 'simulated', ...simulatedMovements(dynamo, TABLE, clock) }),
      },
      ours: [one?.address ?? '', other?.address ?? ''],
      pay,
      adapter: () => of(dynamo),
      at: (endpoint) => of(clientAt(endpoint)),
      changed: async (change) => of(fakeDynamo(async () => ({ Item: change(table(TABLE).items()[0]) })).client),
      fill: async () => {
        const hashes: string[] = [];
        for (const seconds of [...Array<number>(1200).fill(1), 3 * 24 * 3600]) {
          clock.advance(seconds);
          const [to, amount] = [[one?.address ?? ''], '1'];
          hashes.push((await pay({ to, amount, decimals: 6, state: 'UNCONFIRMED' })).txHash);
        }
        return hashes;
      },
    };
  },
};
