import { digestId } from '#shared/platform/digest-id.ts';

/** The id by which clients know a deposit: it follows from the custodian's name and its id of it. */
export function depositIdOf(custodianTransferId: string): string {
  return digestId(custodianTransferId);
}
