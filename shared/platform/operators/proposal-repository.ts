import { type DynamoDBDocumentClient, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { type Clock, expiry } from '#shared/platform/clock.ts';
import { unlessConditionFails, updateItem } from '#shared/platform/dynamodb/conditional-write.ts';
import { readFirstItemsOfShards } from '#shared/platform/dynamodb/index-entries.ts';
import { retryOnConflict, type TransactionLeg, WriteConflict } from '#shared/platform/dynamodb/transaction.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import { apiErrors, type ErrorKind } from '#shared/platform/http/api-errors.ts';
import { operatorName } from './audit-records.ts';
import type { ChangeRequest } from './audited.ts';
import { isOpen, type Proposal, proposal } from './proposals.ts';

/** Milliseconds in which a proposal can be confirmed (decisions.md 9, Two persons). */
const OPEN_FOR = 24 * 3600_000;

/** Days for which a proposal is stored, so that a late confirmation gets the answer that it has expired. */
const KEPT_DAYS = 8;

/** A sparse index of proposals that nobody has confirmed or withdrawn. */
const OPEN_INDEX = 'open';
const OPEN = 'OPEN';

const UNKNOWN =
  'There is no proposal with this id: it may be more than a week old. The list proposals has the open ones.';

/** Proposals of one module. @param conflict the module's error for a state that does not allow the change */
export function createProposals(
  dynamo: DynamoDBDocumentClient,
  table: string,
  clock: Clock,
  { confirmedWith, conflict }: { readonly confirmedWith: string; readonly conflict: ErrorKind },
) {
  const find = createFindProposal(dynamo, table);
  const refusal = (detail: string) => new ApiError(conflict, { detail });

  const known = async (proposalId: string) => {
    const found = await find(proposalId);
    if (found === undefined) throw new ApiError(apiErrors.NOT_FOUND, { detail: UNKNOWN });
    return found;
  };

  const refuseUnlessOpen = ({ doneAt, doneBy, withdrawnAt, until, proposedBy }: Proposal) => {
    if (doneAt !== undefined) throw refusal(`It is done already: ${doneBy} confirmed it at ${doneAt}.`);
    if (withdrawnAt !== undefined) throw refusal(`${proposedBy} has withdrawn it, at ${withdrawnAt}.`);
    if (until <= clock.now().toISOString()) throw refusal(`It has expired at ${until}: propose it again.`);
  };

  /** The write that ends an open proposal, once. */
  const end = ({ proposalId }: Proposal, assigned: string, values: Readonly<Record<string, string>>) => ({
    TableName: table,
    Key: { proposalId },
    UpdateExpression: `SET ${assigned} REMOVE openIn`,
    ConditionExpression: 'openIn = :open AND #until > :now',
    ExpressionAttributeNames: { '#until': 'until' },
    ExpressionAttributeValues: { ...values, ':now': clock.now().toISOString(), ':open': OPEN },
  });

  return {
    /** Stores a proposal. Its id is that of the call in the audit, which is written already. */
    async propose(
      of: Pick<Proposal, 'command' | 'about' | 'arguments' | 'seen'>,
      { who, reason, auditId }: ChangeRequest,
    ): Promise<Proposal> {
      const now = clock.now();
      const made: Proposal = {
        ...of,
        ...{ proposalId: auditId, confirmedWith, proposedBy: who, reason, proposedAt: now.toISOString() },
        until: new Date(now.getTime() + OPEN_FOR).toISOString(),
      };
      const put = new PutCommand({
        TableName: table,
        Item: { ...made, openIn: OPEN, expiresAt: expiry(now, KEPT_DAYS) },
        // A repeat by the SDK, whose first answer was lost, must not open it again.
        ConditionExpression: 'attribute_not_exists(proposalId)',
      });
      await unlessConditionFails(dynamo.send(put));
      return made;
    },

    /** The proposal, if this person can confirm it now. @throws {ApiError} with the reason why not */
    async findToConfirm(proposalId: string, { who }: Pick<ChangeRequest, 'who'>): Promise<Proposal> {
      const found = await known(proposalId);
      if (found.confirmedWith !== confirmedWith)
        throw refusal(`It is confirmed with ${found.confirmedWith}, not with ${confirmedWith}.`);
      refuseUnlessOpen(found);
      if (operatorName(found.proposedBy) === operatorName(who))
        throw refusal('You have proposed it yourself: another person has to confirm it.');
      return found;
    },

    /**
     * Withdraws a proposal, for its author only; a repeat changes nothing. @throws {ApiError} with the reason why not
     */
    withdraw: (proposalId: string, { who }: Pick<ChangeRequest, 'who'>): Promise<Proposal> =>
      retryOnConflict(clock, async () => {
        const found = await known(proposalId);
        if (operatorName(found.proposedBy) !== operatorName(who))
          throw refusal(`${operatorName(found.proposedBy)} has proposed it: only that person can withdraw it.`);
        if (found.withdrawnAt !== undefined) return found;
        refuseUnlessOpen(found);
        const update = new UpdateCommand({ ...end(found, 'withdrawnAt = :now', {}), ReturnValues: 'ALL_NEW' });
        const written = await unlessConditionFails(updateItem(dynamo, clock, update));
        if (written === undefined) throw new WriteConflict('proposal');
        return proposal.parse(written.Attributes);
      }),

    /** The error if the subject of a proposal has changed since its author saw it. */
    changed: () => refusal('Its subject has changed since it was proposed: look at it, and propose it again.'),

    /**
     * The leg that marks a proposal as done, in the transaction of the change that it proposes. Its condition holds
     * once, before the proposal expires; if it fails, read and decide again.
     */
    confirm(proposal: Proposal, { who }: Pick<ChangeRequest, 'who'>): TransactionLeg {
      return { Update: end(proposal, 'doneAt = :now, doneBy = :who', { ':who': who }) };
    },
  };
}

export type Proposals = ReturnType<typeof createProposals>;

export function createFindProposal(dynamo: DynamoDBDocumentClient, table: string) {
  return async (proposalId: string): Promise<Proposal | undefined> => {
    const { Item } = await dynamo.send(new GetCommand({ TableName: table, Key: { proposalId }, ConsistentRead: true }));
    return Item && proposal.parse(Item);
  };
}

export type FindProposal = ReturnType<typeof createFindProposal>;

const openEntry = z.object({ proposalId: z.string(), proposedAt: z.string() });

/**
 * Proposals of all modules that somebody can confirm, oldest first. Expired ones are left out, because they would fill
 * the first pages.
 */
export function createListProposals(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return (since: string, most: number) => {
    const oldest = new Date(clock.now().getTime() - OPEN_FOR + 1).toISOString();
    return readFirstItemsOfShards(dynamo, clock, table, {
      index: OPEN_INDEX,
      keys: ['openIn', 'proposedAt'],
      shards: [OPEN],
      since: since > oldest ? since : oldest,
      most,
      entry: openEntry,
      keyOf: ({ proposalId }) => ({ proposalId }),
      item: proposal,
    });
  };
}

export type ListProposals = ReturnType<typeof createListProposals>;

/** The most proposals that are read at once. */
const MOST_READ = 100;

/** The proposals of all modules that wait for a second person now: the oldest hundred. */
export function createListOpenProposals(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  const list = createListProposals(dynamo, table, clock);
  return async (): Promise<readonly Proposal[]> => {
    const now = clock.now();
    const { items } = await list('', MOST_READ);
    return items.filter((one) => isOpen(one, now));
  };
}

export type ListOpenProposals = ReturnType<typeof createListOpenProposals>;
