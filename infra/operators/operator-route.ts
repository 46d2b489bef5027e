import type { TableUse } from '#infra/platform/service-function.ts';
import type { Contract } from '#shared/platform/http/contract.ts';

/** A route of operators as its module declares it; all of them together are what the function may do. */
export interface OperatorRoute {
  readonly contract: Contract;
  readonly tables: TableUse;
  /** It puts events on the bus as compliance does. */
  readonly sendsAsCompliance?: true;
}
