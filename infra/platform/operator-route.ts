import * as z from 'zod/mini';
import type { Stage } from '#infra/stage/stages.ts';
import type { TableUse } from '#infra/stage/table-shapes.ts';
import type { Contract } from '#shared/platform/http/contract.ts';
import { confirmation, listProposalsContract } from '#shared/platform/operators/proposals.ts';
import type { Permission } from './route.ts';

/** How the operators' changes of an item are read. */
export const AUDITED_CHANGES = ['Query:about', 'BatchGetItem'] as const;

/** What waits for a second person is read with what it is about. */
export const OPEN_PROPOSALS = ['Query:open', 'BatchGetItem'] as const;

/** Lists show the names of clients beside their ids. */
export const CLIENT_NAMES = ['BatchGetItem'] as const;

/** The time zone in which reports have their days. */
export const timeZoneOf = ({ settings }: Stage) => ({ TIME_ZONE: settings.timeZone ?? 'UTC' });

export interface Report {
  /** The fields of a line, in the order in which they are printed. */
  readonly columns: readonly string[];
  /** The field with the time that the report goes by. */
  readonly at: string;
  /** The fields by which the lines of a day are grouped and added up; the lines of a group have one unit. */
  readonly by: readonly string[];
  /** The amounts that are added up, of which each line has all. */
  readonly adds: readonly string[];
}

/** A lookup that shows whether a change by a queue has taken effect. */
export interface ReadBack {
  readonly contract: Contract;
  /** The lookup's query, from the answer of the change. */
  readonly query: (changed: unknown) => Readonly<Record<string, string>>;
  /** The result in words, and whether it is as requested. */
  readonly judge: (changed: unknown, read: unknown) => { readonly says: string; readonly isInForce: boolean };
}

/** A lookup, and its query from the body of a change. */
export interface Shown {
  readonly contract: Contract;
  readonly query: (body: unknown) => Readonly<Record<string, string>>;
}

const confirming = z.object({ arguments: confirmation });

/** What a second person is asked to confirm. */
export const proposalToConfirm: Shown = {
  contract: listProposalsContract,
  query: (body) => ({ proposal: confirming.parse(body).arguments.proposalId }),
};

/**
 * A route of operators as its module declares it. The needs of a module's commands are the permissions of their
 * function, and each is a command of the command line.
 */
export interface OperatorRoute {
  readonly contract: Contract;
  readonly tables: TableUse;
  readonly permissions?: readonly Permission[];
  /** Environment variables of its function, besides those of its tables. */
  readonly environment?: (stage: Stage) => Readonly<Record<string, string>>;
  /** It sees how many messages are in each queue of dead letters, and some of them. */
  readonly looksAtDeadLetters?: true;
  /** Its answer is a page of lines, of which the command line reads all. */
  readonly report?: Report;
  /** Its answer is a page of lines with these fields, of which the command line prints all, page by page. */
  readonly lines?: readonly string[];
  /** What the command line writes into a file that is named with `--export`: this report, by what the look-up answers. */
  readonly exports?: {
    readonly route: OperatorRoute;
    readonly query: (answer: Readonly<Record<string, unknown>>) => Readonly<Record<string, string>>;
  };
  /** Its answer is a page of a provider's own bytes, of which the command line writes all into a file. */
  readonly pagesToFile?: true;
  /** It moves dead letters back. */
  readonly movesDeadLetters?: true;
  /** The optional argument that may be given without its name: `clients pagos`. */
  readonly argument?: string;
  /** What it takes, as the help of the command line shows it. */
  readonly example: Readonly<Record<string, unknown>>;
  /**
   * The question before a change that cannot be undone, or that lets a client move money or stops it. If it depends on
   * the arguments, it is made from the body.
   */
  readonly question?: string | ((body: unknown) => string);
  /** What the command line shows before that question, in place of the arguments. */
  readonly shows?: Shown;
  /** The command line reads it back before it says that the change was done. */
  readonly readBack?: ReadBack;
  /** Of a change of fields: the lookup that shows what they are now, by this argument, and where both have them. */
  readonly changesFieldsOf?: { readonly contract: Contract; readonly by: string; readonly within: string };
  /** Its answer has a secret, which a file may get in place of the terminal. */
  readonly showsSecret?: true;
}
