import { createHash } from 'node:crypto';
import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { formatAddress, isEvm, type Network, network } from '#shared/networks/network.ts';
import { type Custodian, CustodianUnavailable, SendingRefused } from '#shared/off-ramps/custodians/custodian.ts';
import type { OutgoingTransfer } from '#shared/off-ramps/custodians/outgoing.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { unlessConditionFails } from '#shared/platform/dynamodb/conditional-write.ts';
import { instant } from '#shared/platform/http/fields.ts';
import { type SimulatedOutcome, simulatedOutcomes } from './outcomes.ts';
import { simulatedAccount } from './simulated-custodian-deployment.ts';
import {
  dayOf,
  MarkedUnavailable,
  simulatedTable,
  simulatedTransactionId,
  transfersIn,
  undefinedIfMarked,
  wrapTableErrors,
} from './transactions.ts';

/** An order as stored, under the key of the transaction that it makes. */
const order = z.object({
  isUnavailable: z.boolean(),
  createdAt: instant,
  order: z.object({
    externalId: z.string(),
    network,
    assetId: z.string(),
    amount: z.string(),
    from: z.string(),
    to: z.object({ address: z.string(), tag: z.optional(z.string()) }),
  }),
});

/** Milliseconds until an order is final, on whichever network. */
const FINAL_AFTER = 2000;

/** The hash of the transaction that an order makes, derived from the order's id: the id and the hash find the order. */
function hashOf(of: Network, externalId: string): string {
  const digest = createHash('sha256').update(`${of}:${externalId}`).digest();
  // Sui writes hashes in base58, as Solana writes keys.
  if (of === 'SUI') return formatAddress('SOLANA', digest);
  if (of === 'SOLANA') return formatAddress('SOLANA', Buffer.concat([digest, digest]));
  return `${isEvm(of) ? '0x' : ''}${digest.toString('hex')}`;
}

const orderKey = (of: Network, txHash: string) => `sent:${of}:${txHash}`;

/** Sends money, with the outcome that was chosen for the deposit. */
export function simulatedSendings(
  dynamo: DynamoDBDocumentClient,
  table: string,
  clock: Clock,
): Required<Pick<Custodian, 'send' | 'findSending' | 'findOutgoing'>> {
  const { read } = simulatedTable(dynamo, table, clock);
  const outgoing = createOutgoingIn(dynamo, table, clock);
  const outcomeOf = (externalId: string) => wrapTableErrors(simulatedOutcomes(dynamo, table).of(externalId));
  return {
    async send({ externalId, ...rest }) {
      const outcome = await outcomeOf(externalId);
      if (outcome === 'DECLINED') throw new SendingRefused('The simulated custodian does not take this order.');
      const now = clock.now().toISOString();
      const put = new PutCommand({
        TableName: table,
        Item: {
          custodianTransferId: orderKey(rest.network, hashOf(rest.network, externalId)),
          ...{ createdAt: now, createdOn: dayOf(now), isUnavailable: false, order: { externalId, ...rest } },
        },
        ConditionExpression: 'attribute_not_exists(custodianTransferId)',
      });
      await wrapTableErrors(unlessConditionFails(dynamo.send(put)));
      if (outcome === 'TIMEOUT')
        throw new CustodianUnavailable('The simulated custodian does not say whether it sends.');
    },

    async findSending({ network: of, externalId }) {
      const key = orderKey(of, hashOf(of, externalId));
      const item = await read(key);
      if (item === undefined) return undefined;
      const [{ state, txHash, movementId } = expectOrder()] = await outgoing(key, item);
      if (state === 'FAILED') return { state };
      return { state: state === 'CONFIRMED' ? 'COMPLETED' : 'PENDING', txHash, movementId };
    },

    findOutgoing: async ({ network: of, txHash }) => {
      const ids = [orderKey(of, txHash), simulatedTransactionId(of, txHash)];
      return (await Promise.all(ids.map(async (id) => outgoing(id, await read(id))))).flat();
    },
  };
}

/** Lists the movements for the books. What leaves the custodian's account is outgoing; everything else is incoming. */
export function simulatedMovements(
  dynamo: DynamoDBDocumentClient,
  table: string,
  clock: Clock,
): Required<Pick<Custodian, 'listMovements'>> {
  const { list } = simulatedTable(dynamo, table, clock);
  const outgoingIn = createOutgoingIn(dynamo, table, clock);
  return {
    async listMovements(query) {
      const { items, cursor } = await list(query);
      const outgoing = await Promise.all(
        items.map(async ({ id, item }) => (await undefinedIfMarked(outgoingIn(id, item))) ?? []),
      );
      const incoming = items.flatMap(({ id, item }) => transfersIn(id, item)).filter((one) => !one.isFromCustodian);
      return { incoming, outgoing: outgoing.flat(), cursor, answer: JSON.stringify(items.map(({ item }) => item)) };
    },
  };
}

function expectOrder(): never {
  throw new CustodianUnavailable('The simulated custodian has an unreadable order.');
}

/** Reads the outgoing transfers of a table item: an order, or a transaction that was put there as sent by hand. */
function createOutgoingIn(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  const outcomes = simulatedOutcomes(dynamo, table);
  return async (id: string, item: unknown): Promise<readonly OutgoingTransfer[]> => {
    const { data } = order.safeParse(item);
    if (data === undefined) return byHand(id, item);
    const { createdAt, order: ordered } = data;
    const { to, from, ...rest } = ordered;
    const outcome = await wrapTableErrors(outcomes.of(ordered.externalId));
    const age = clock.now().getTime() - Date.parse(createdAt);
    return [
      {
        movementId: id,
        ...rest,
        ...{ from, createdAt, txHash: hashOf(ordered.network, ordered.externalId), state: stateBy(outcome, age) },
        toAddress: to.address,
        ...(to.tag !== undefined && { toTag: to.tag }),
      },
    ];
  };
}

function stateBy(outcome: SimulatedOutcome, age: number): OutgoingTransfer['state'] {
  if (outcome === 'TIMEOUT')
    throw new MarkedUnavailable('The simulated custodian does not say what became of the order.');
  if (outcome === 'FAILED') return 'FAILED';
  return age < FINAL_AFTER ? 'UNCONFIRMED' : 'CONFIRMED';
}

function byHand(id: string, item: unknown): readonly OutgoingTransfer[] {
  return transfersIn(id, item).flatMap(({ custodianTransferId: movementId, isFromCustodian, ...transfer }) => {
    if (isFromCustodian !== true) return [];
    const { network: of, txHash, state, toAddress, toTag, assetId, amount, createdAt } = transfer;
    const moved = { network: of, txHash, state, toAddress, assetId, amount, createdAt };
    return [{ movementId, ...moved, from: simulatedAccount(of), ...(toTag !== undefined && { toTag }) }];
  });
}
