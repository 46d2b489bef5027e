import * as z from 'zod/mini';
import { compareAmounts } from '#shared/platform/amount.ts';
import { apiErrors, declareErrors, type ErrorKind } from '#shared/platform/http/api-errors.ts';
import { command, lookup } from '#shared/platform/http/command.ts';
import { id, instant, instantInput } from '#shared/platform/http/fields.ts';
import { operatorName } from './audit-records.ts';

/** A change that takes two persons, as the first one requested it (decisions.md 9, Two persons). */
export const proposal = z.object({
  /** The id of the first person's call in the audit. */
  proposalId: id,
  command: z.string(),
  /** Id of the resource that it changes. */
  about: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  /** The state that the first person relied on: once it has changed, the proposal cannot be confirmed. */
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
  /** When its author withdrew it. */
  withdrawnAt: z.optional(instant),
});

export type Proposal = Readonly<z.infer<typeof proposal>>;

/** True if somebody can still confirm the proposal. */
export function isOpen({ doneAt, withdrawnAt, until }: Proposal, now: Date): boolean {
  return doneAt === undefined && withdrawnAt === undefined && until > now.toISOString();
}

/**
 * Describes the open proposals about an id, so that nobody proposes the same again. Proposals whose `seen` state has
 * changed are left out, because their confirmation is refused.
 */
export function describeProposals(
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
  return `${operatorName(proposedBy)} has proposed at ${proposedAt}: ${what}. Another person checks that, and confirms it before ${one.until}: ${one.confirmedWith} ${one.proposalId}.`;
}

/** The answer of a command that has only made a proposal, and done nothing else. */
export const proposedChange = z.pick(proposal, { proposalId: true, until: true, confirmedWith: true });

/** A field in the answer of a command that is not finished: what is missing, and who continues. */
export const awaitedStep = z.string();

/** The input of each command that confirms or withdraws. */
export const confirmation = z.strictObject(z.pick(proposal, { proposalId: true }).shape);

/** The command of a module by which the second person confirms. @param of the changed resource, in words */
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
    summary: `Confirms and makes the change that another person has proposed for ${of}.`,
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
  summary: 'Withdraws a proposal of your own: from now on nobody can confirm it.',
  input: confirmation,
  answer: z.required(z.pick(proposal, { proposalId: true, command: true, about: true, withdrawnAt: true })),
  errors: [apiErrors.NOT_FOUND, proposalErrors.PROPOSAL_CONFLICT, apiErrors.SERVICE_UNAVAILABLE],
});

/** By currency or token, the amount up to which one person is enough. Without an entry, a change always takes two. */
export const twoPersonsAbove = z.record(z.string(), z.string());

export type TwoPersonsAbove = Readonly<z.infer<typeof twoPersonsAbove>>;

/** True if a change of this amount takes two persons. */
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
  query: z.strictObject({ proposal: z.optional(id), since: z.optional(instantInput) }),
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
