import type { Change } from './change.ts';
import { maybeText, text } from './items.ts';

/** The attribute by which each table's items are called elsewhere. */
const ids: Readonly<Record<string, string>> = {
  operations: 'operationId',
  payins: 'payinId',
  events: 'eventId',
  deliveries: 'deliveryId',
  webhooks: 'webhookId',
  users: 'userId',
  clients: 'clientId',
};

export const idNames = Object.values(ids);

const EVENT = 'evt_';

/** Whose a new item is, for all that name it later. */
export function keepOwner({ table, before, after }: Change, owners: Map<string, string>): void {
  if (before !== undefined) return;
  const [name, clientId] = [ids[table], maybeText(after, 'clientId')];
  if (table === 'wallets') owners.set(text(after, 'walletId'), owners.get(text(after, 'userId')) ?? '');
  if (name === undefined || clientId === undefined) return;
  const id = text(after, name);
  owners.set(id, clientId);
  // The id of an event is read without what it begins with, too.
  if (id.startsWith(EVENT)) owners.set(id.slice(EVENT.length), clientId);
}
