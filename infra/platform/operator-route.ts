import * as z from 'zod/mini';
import type { Stage } from '#infra/stage/stages.ts';
import type { TableUse } from '#infra/stage/table-shapes.ts';
import type { Contract } from '#shared/platform/http/contract.ts';
import { confirmation, listProposalsContract } from '#shared/platform/operators/proposals.ts';
import type { Permission } from './route.ts';

/** Actions that read the operators' changes of an item. */
export const AUDITED_CHANGES = ['Query:about', 'BatchGetItem'] as const;

/** Actions that read what waits for a second person, which is shown beside the item that it is about. */
export const OPEN_PROPOSALS = ['Query:open', 'BatchGetItem'] as const;

/** Actions that read the names of clients, which lists show beside their ids. */
export const CLIENT_NAMES = ['BatchGetItem'] as const;

/** The time zone in which reports have their days. */
export const timeZoneEnvironment = ({ settings }: Stage) => ({ TIME_ZONE: settings.timeZone ?? 'UTC' });

export interface Report {
  /** The fields of a line, in the order in which they are printed. */
  readonly columns: readonly string[];
  /** The field with the time that the report goes by. */
  readonly at: string;
  /** The fields by which the lines of a day are grouped and added up; the lines of a group have one unit. */
  readonly by: readonly string[];
  /** The amounts that are added up; each line has all of them. */
  readonly adds: readonly string[];
}

/** A lookup that shows whether a change by a queue has taken effect. */
export interface EffectLookup {
  readonly contract: Contract;
  /** The lookup's query, from the answer of the change. */
  readonly query: (changed: unknown) => Readonly<Record<string, string>>;
  /** The result in words, and whether it is as requested. */
  readonly assess: (changed: unknown, read: unknown) => { readonly says: string; readonly isInForce: boolean };
}

/** A lookup, and its query from the body of a change. */
export interface ShownLookup {
  readonly contract: Contract;
  readonly query: (body: unknown) => Readonly<Record<string, string>>;
}

const confirming = z.object({ arguments: confirmation });

/** Shows the second person what to confirm. */
export const proposalToConfirm: ShownLookup = {
  contract: listProposalsContract,
  query: (body) => ({ proposal: confirming.parse(body).arguments.proposalId }),
};

/**
 * A route of operators as its module declares it. The tables and permissions of a module's commands are those of their
 * one function, and each route is a command of the command line.
 */
export interface OperatorRoute {
  readonly contract: Contract;
  readonly tables: TableUse;
  readonly permissions?: readonly Permission[];
  /** Environment variables of its function, besides those of its tables. */
  readonly environment?: (stage: Stage) => Readonly<Record<string, string>>;
  /** The function sees how many messages are in each queue of dead letters, and some of the messages. */
  readonly looksAtDeadLetters?: true;
  /** The answer is a page of lines; the command line reads all pages. */
  readonly report?: Report;
  /** The answer is a page of lines with these fields; the command line prints all pages, one by one. */
  readonly lines?: readonly string[];
  /** The report for the file of the command line's `--export`, with its query from the answer of the look-up. */
  readonly exports?: {
    readonly route: OperatorRoute;
    readonly query: (answer: Readonly<Record<string, unknown>>) => Readonly<Record<string, string>>;
  };
  /** The answer is a page of a provider's own bytes; the command line writes all pages into a file. */
  readonly pagesToFile?: true;
  /** The function moves dead letters back. */
  readonly movesDeadLetters?: true;
  /** The optional argument that may be given without its name: `clients pagos`. */
  readonly argument?: string;
  /** The arguments of an example, for the help of the command line. */
  readonly example: Readonly<Record<string, unknown>>;
  /**
   * The question before a change that cannot be undone, or that lets a client move money or stops it. If it depends on
   * the arguments, it is made from the body.
   */
  readonly question?: string | ((body: unknown) => string);
  /** What the command line shows before that question, in place of the arguments. */
  readonly shows?: ShownLookup;
  /** The lookup by which the command line confirms the change before it reports it as done. */
  readonly effect?: EffectLookup;
  /**
   * For a change of fields: the lookup of their current values, its argument, and the member with the fields in both.
   */
  readonly changesFieldsOf?: { readonly contract: Contract; readonly by: string; readonly within: string };
  /** The answer has a secret, which a file can receive in place of the terminal. */
  readonly showsSecret?: true;
}
