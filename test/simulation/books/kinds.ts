import type { Change } from './change.ts';
import { text } from './items.ts';

/** The kinds of items. */
export type Kind =
  | 'OPERATION'
  | 'VERIFICATION'
  | 'CLAIM'
  | 'DEPOSIT'
  /** A hash that is searched for. */
  | 'SEARCH'
  /** The number of rejected or late reports. */
  | 'COUNT'
  | 'PAYIN'
  /** A claim on the transfer that ended a pay-in. */
  | 'TRANSFER_CLAIM'
  /** How far a rail's list has been read. */
  | 'LIST_PASS'
  | 'EVENT'
  | 'DELIVERY'
  | 'WEBHOOK'
  | 'WEBHOOK_COUNT'
  /** The number of active webhooks of a process. */
  | 'ACTIVE_COUNT'
  | 'HEALTH'
  | 'SLOT'
  | 'IDEMPOTENCY'
  | 'CLIENT'
  | 'AUDIT'
  /** A day of a book, its progress, or a line of it. */
  | 'BOOK'
  | 'USER'
  /** A change that takes two persons. */
  | 'PROPOSAL'
  /** An item that the service only reads, or that belongs to a provider. */
  | 'OTHER';

const kinds: Readonly<Record<string, Kind>> = {
  hashes: 'CLAIM',
  events: 'EVENT',
  deliveries: 'DELIVERY',
  webhookHealth: 'HEALTH',
  slots: 'SLOT',
  idempotency: 'IDEMPOTENCY',
  clients: 'CLIENT',
  audit: 'AUDIT',
  books: 'BOOK',
  users: 'USER',
  proposals: 'PROPOSAL',
};

const depositKinds: Readonly<Record<string, Kind>> = { HASH: 'SEARCH', REPORTS: 'COUNT', LIST: 'OTHER' };

const payinKinds: Readonly<Record<string, Kind>> = { PAYIN: 'PAYIN', LIST_PASS: 'LIST_PASS', LIST_PAGE: 'OTHER' };

const webhookKinds: Readonly<Record<string, Kind>> = { count: 'WEBHOOK_COUNT', active: 'ACTIVE_COUNT' };

export function kindOf({ table, key }: Pick<Change, 'table' | 'key'>): Kind {
  switch (table) {
    case 'operations':
      return text(key, 'record') === 'OPERATION' ? 'OPERATION' : 'VERIFICATION';
    case 'deposits':
      return depositKinds[text(key, 'custodianTransferId').split('#')[0] ?? ''] ?? 'DEPOSIT';
    case 'payins':
      return payinKinds[text(key, 'record').split('#')[0] ?? ''] ?? 'TRANSFER_CLAIM';
    case 'webhooks':
      return webhookKinds[text(key, 'webhookId').split('#')[1] ?? ''] ?? 'WEBHOOK';
    default:
      return kinds[table] ?? 'OTHER';
  }
}
