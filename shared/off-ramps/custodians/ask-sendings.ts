import * as z from 'zod/mini';
import { type Network, normaliseTransactionHash } from '#shared/networks/network.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { log } from '#shared/platform/logger.ts';
import {
  type Custodians,
  CustodianUnavailable,
  type FindOutgoing,
  type FindSending,
  type ListMovements,
  type ReadBalances,
  type Send,
} from './custodian.ts';
import { custodianOf, retryWhileUnavailable, withSearchMargin } from './find-transfers.ts';
import { prefixedId, type ReadOutgoing, readOutgoing, readTransfer } from './normal-form.ts';
import { type OutgoingTransfer, type Sending, sending } from './outgoing.ts';

/**
 * Gives an order to the custodian of its network, in one try: a caller without an answer looks the order up before it
 * sends again.
 *
 * @throws {SendingRefused}
 * @throws {CustodianUnavailable}
 */
export function createSend(custodians: Custodians<'send'>, clock: Clock): Send {
  return (order) => retryWhileUnavailable(clock, () => custodianOf(custodians, order.network).send(order), 1);
}

/**
 * Asks for the state of an order. An answer that does not parse counts as none, and raises an alarm.
 *
 * @throws {CustodianUnavailable}
 */
export function createFindSending(custodians: Custodians<'findSending'>, clock: Clock): FindSending {
  return async (query) => {
    const { name, findSending } = custodianOf(custodians, query.network);
    const answer: unknown = await retryWhileUnavailable(clock, () => findSending(query));
    if (answer === undefined) return undefined;
    return readSending(name, query, answer) ?? unreadable(name, { externalId: query.externalId });
  };
}

function readSending(
  custodian: string,
  { network }: { readonly network: Network },
  answer: unknown,
): Sending | undefined {
  const { data } = sending.safeParse(answer);
  if (data === undefined) return undefined;
  const { txHash: given, movementId: id, ...rest } = data;
  const txHash = given === undefined ? undefined : normaliseTransactionHash(network, given);
  const isWhole = txHash !== undefined && id !== undefined;
  if ((given !== undefined && txHash === undefined) || (rest.state === 'COMPLETED' && !isWhole)) return undefined;
  const movementId = id === undefined ? undefined : prefixedId(custodian, id);
  return { ...rest, ...(txHash !== undefined && { txHash }), ...(movementId !== undefined && { movementId }) };
}

/**
 * Asks for the outgoing transfers of a transaction. If one of them does not parse, the whole answer counts as none, and
 * raises an alarm: that transfer may be the one that the caller looks for.
 *
 * @throws {CustodianUnavailable}
 */
export function createFindOutgoing(custodians: Custodians<'findOutgoing'>, clock: Clock): FindOutgoing {
  return async (query) => {
    const { name, findOutgoing } = custodianOf(custodians, query.network);
    const since = withSearchMargin(query.since);
    const answer: unknown = await retryWhileUnavailable(clock, () => findOutgoing({ ...query, since }));
    if (!Array.isArray(answer)) throw new CustodianUnavailable("The custodian's answer is not a list of transfers.");
    const outgoing = answer.map((given: unknown): OutgoingTransfer => {
      const read = readOutgoing(name, given);
      const isAsked = !('unreadableFields' in read) && read.network === query.network && read.txHash === query.txHash;
      return isAsked ? read : unreadable(name, { txHash: query.txHash });
    });
    // A chain returns transfers of any age, but one from before this time cannot be the return of a later deposit.
    return outgoing.filter(({ createdAt }) => Date.parse(createdAt) >= Date.parse(since));
  };
}

const movements = z.object({
  incoming: z.array(z.unknown()),
  outgoing: z.array(z.unknown()),
  cursor: z.optional(z.string()),
  answer: z.string(),
});

/**
 * Asks one custodian for a page of all its movements. Unreadable ones are included: to the books they are a difference.
 *
 * @throws {CustodianUnavailable}
 */
export function createAskForMovements(
  { name, listMovements }: { readonly name: string; readonly listMovements: ListMovements },
  clock: Clock,
) {
  return async (query: Parameters<ListMovements>[0]) => {
    const { data } = movements.safeParse(await retryWhileUnavailable(clock, () => listMovements(query)));
    if (data === undefined) throw new CustodianUnavailable("The custodian's answer is not a page of movements.");
    return {
      incoming: data.incoming.map((transfer) => readTransfer(name, transfer)),
      outgoing: data.outgoing.map((transfer): ReadOutgoing => readOutgoing(name, transfer)),
      cursor: data.cursor,
      answer: data.answer,
    };
  };
}

/** Only a simulated custodian may have a negative balance: there, anybody can send money that does not exist. */
const balances = z.array(
  z.object({ assetId: z.string(), amount: z.string().check(z.regex(/^-?\d{1,78}(\.\d{1,78})?$/)) }),
);

/** Asks one custodian for its balances. @throws {CustodianUnavailable} */
export function createReadBalances(
  { name, readBalances }: { readonly name: string; readonly readBalances: ReadBalances },
  clock: Clock,
): ReadBalances {
  return async () => balances.safeParse(await retryWhileUnavailable(clock, readBalances)).data ?? unreadable(name, {});
}

function unreadable(custodian: string, about: Readonly<Record<string, string>>): never {
  log.error('CUSTODIAN_ANSWER_UNREADABLE', { custodian, ...about });
  throw new CustodianUnavailable("The custodian's answer cannot be read.");
}
