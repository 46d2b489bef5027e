import * as z from 'zod/mini';
import { compareAmounts } from '#shared/platform/amount.ts';
import { apiErrors, declareErrors, type ErrorKind } from '#shared/platform/http/api-errors.ts';
import { command, lookup } from '#shared/platform/http/command.ts';
import { id, instant, instantIn } from '#shared/platform/http/fields.ts';
import { personOf } from './audit-records.ts';

/** A change that takes two persons, as the first one asked for it (decisions.md 9, Two persons). */
export const proposal = z.object({
  /** The id of the first person's call in the audit. */
  proposalId: id,
  command: z.string(),
  /** The id of what it changes. */
  about: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  /** What the first person relied on: nothing is done once it is not so any more. */
  seen: z.record(z.string(), z.unknown()),
  reason: z.string(),
  proposedBy: z.string(),
  proposedAt: instant,
  /** It can be confirmed before this time. */
  until: instant,
  /** The command that another person confirms it with. */
  confirmedWith: z.string(),
  /** When it was done, and who confirmed it. */
  doneAt: z.optional(instant),
  doneBy: z.optional(z.string()),
  /** When its author took it back. */
  withdrawnAt: z.optional(instant),
});

export type Proposal = Readonly<z.infer<typeof proposal>>;

/** Whether somebody can still confirm it. */
export function isOpen({ doneAt, withdrawnAt, until }: Proposal, now: Date): boolean {
  return doneAt === undefined && withdrawnAt === undefined && until > now.toISOString();
}

/**
 * What waits for a second person about an id, in words: so that nobody proposes it again. What its author has not seen so
 * any more is left out: its confirmation is refused.
 */
export function proposedInWords(
  proposals: readonly Proposal[],
  about: string,
  now: Proposal['seen'],
): string | undefined {
  const isAsSeen = ({ seen }: Proposal) => Object.entries(now).every(([name, value]) => seen[name] === value);
  const open = proposals.filter((one) => one.about === about && isAsSeen(one));
  return open.length === 0 ? undefined : open.map(inWords).join(' ');
}

function inWords({ command, about, arguments: given, proposedBy, proposedAt, ...one }: Proposal): string {
  const what = [command, ...Object.values(given).filter((value) => value !== about)].join(' ');
  return `${personOf(proposedBy)} has proposed at ${proposedAt}: ${what}. Another person checks that, and has until ${one.until} for: ${one.confirmedWith} ${one.proposalId}.`;
}

/** The answer of a command that has only proposed: nothing else is done. */
export const proposed = z.pick(proposal, { proposalId: true, until: true, confirmedWith: true });

/** In the answer of a command whose end is still to come: what is missing, and who goes on. */
export const awaited = z.string();

/** The input of each command that confirms. */
export const confirmation = z.strictObject(z.pick(proposal, { proposalId: true }).shape);

/** The command of a module by which the second person confirms. @param of what it changes, in words */
export function confirmCommand<A extends z.ZodMiniType>({
  name,
  subject,
  of,
  answer,
  errors,
}: {
  readonly name: string;
  readonly subject: string;
  readonly of: string;
  readonly answer: A;
  readonly errors: readonly ErrorKind[];
}) {
  return command({
    ...{ name, answer },
    subject: [subject, 'proposalId'],
    summary: `Does what another person has proposed for ${of}, as the second of two persons.`,
    input: confirmation,
    errors: [apiErrors.NOT_FOUND, ...errors, apiErrors.SERVICE_UNAVAILABLE],
  });
}

export const proposalErrors = declareErrors({
  PROPOSAL_CONFLICT: [409, 'It cannot be withdrawn. The detail says why.'],
});

export const withdrawProposalContract = command({
  name: 'withdraw-proposal',
  subject: ['about', 'proposalId'],
  summary: 'Takes back what you have proposed yourself: from now on nobody can confirm it.',
  input: confirmation,
  answer: z.required(z.pick(proposal, { proposalId: true, command: true, about: true, withdrawnAt: true })),
  errors: [apiErrors.NOT_FOUND, proposalErrors.PROPOSAL_CONFLICT, apiErrors.SERVICE_UNAVAILABLE],
});

/** By currency or token, decimals up to which one person is enough; without an entry it always takes two. */
export const twoPersonsAbove = z.record(z.string(), z.string());

export type TwoPersonsAbove = Readonly<z.infer<typeof twoPersonsAbove>>;

/** Whether a change of this much money takes two persons. */
export function takesTwoPersons(
  above: TwoPersonsAbove,
  { amount, currency }: { readonly amount: string; readonly currency: string },
): boolean {
  const most = above[currency];
  return most === undefined || compareAmounts(amount, most) > 0;
}

export const listProposalsContract = lookup({
  name: 'proposals',
  summary: 'Changes that wait for a second person, oldest first; or one of them.',
  query: z.strictObject({ proposal: z.optional(id), since: z.optional(instantIn) }),
  answer: z.object({
    items: z.array(
      z.extend(z.omit(proposal, { seen: true, doneAt: true, doneBy: true, withdrawnAt: true, proposedAt: true }), {
        since: instant,
        age: z.string(),
      }),
    ),
    /** Ids of unreadable items. */
    unreadableIds: z.optional(z.array(z.string())),
    nextSince: z.optional(instant),
  }),
  errors: [apiErrors.NOT_FOUND, apiErrors.SERVICE_UNAVAILABLE],
});
