import type { TableUse } from '#infra/platform/service-function.ts';
import type { Contract } from '#shared/platform/http/contract.ts';

/**
 * A route of operators as its module declares it: all of them together are what the function may do, and each is a command
 * of the command line.
 */
export interface OperatorRoute {
  readonly contract: Contract;
  readonly tables: TableUse;
  /** It puts events on the bus as compliance does. */
  readonly sendsAsCompliance?: true;
  /** It sees how many messages are in each queue of dead letters. */
  readonly countsDeadLetters?: true;
  /** What it takes, as the help of the command line shows it. */
  readonly example: Readonly<Record<string, unknown>>;
  /** What somebody agrees to who says yes: for what cannot be taken back, or lets a client move money, or keeps it from that. */
  readonly question?: string;
}
