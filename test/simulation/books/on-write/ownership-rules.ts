import type { Change } from '../change.ts';
import { maybeText } from '../items.ts';
import { idNames } from '../owners.ts';
import { must } from '../violation.ts';
import type { Written } from '../written.ts';

/** No item of a client names another client's ids. An address claim names its operation, a deposit the one it funds. */
export function checkOwnership({ table, before, after }: Change, { ledger }: Written): void {
  // An address may pass to another operation; all other ids never change.
  if (before !== undefined && table !== 'hashes') return;
  const clientId = maybeText(after, 'clientId');
  if (after === undefined || clientId === undefined || table === 'users') return;
  for (const name of idNames) {
    const id = maybeText(after, name);
    const owner = id === undefined ? undefined : ledger.owners.get(id);
    must('what is one client’s names nothing of another', owner === undefined || owner === clientId, {
      table,
      name,
      id,
      clientId,
      owner,
    });
  }
}

/** An event goes to the client that it is kept for, so its data must be that client's. */
export function checkEventOwnership({ events, ledger }: Written): void {
  for (const { eventId, clientId, data } of events) {
    for (const id of [data.operationId, data.payinId, data.userId]) {
      const owner = id === undefined ? undefined : ledger.owners.get(id);
      must('an event belongs to the client of what it is about', owner === undefined || owner === clientId, {
        eventId,
        clientId,
        id,
        owner,
      });
    }
    const isAbout = data.clientId === undefined || data.clientId === clientId;
    must('an event belongs to the client of what it is about', isAbout, { eventId, clientId, about: data.clientId });
  }
}
