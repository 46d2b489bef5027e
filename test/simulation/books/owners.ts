import type { Change } from './change.ts';
import { maybeText, text } from './items.ts';
import { idOfEvent } from './written-event.ts';

/** The attribute that other items name each table's items by. */
const ids: Readonly<Record<string, string>> = {
  operations: 'operationId',
  payins: 'payinId',
  deliveries: 'deliveryId',
  webhooks: 'webhookId',
  users: 'userId',
  clients: 'clientId',
};

export const idNames = [...Object.values(ids), 'eventId'];

/** Keeps the client of a new item, for items that name it later. */
export function keepOwner({ table, before, after }: Change, owners: Map<string, string>): void {
  if (before !== undefined) return;
  const [name, clientId] = [ids[table], maybeText(after, 'clientId')];
  if (table === 'events') owners.set(idOfEvent(after), clientId ?? '');
  if (table === 'wallets') owners.set(text(after, 'walletId'), owners.get(text(after, 'userId')) ?? '');
  if (name === undefined || clientId === undefined) return;
  owners.set(text(after, name), clientId);
}
