import { depositIdOf } from '#shared/off-ramps/model/deposit.ts';
import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import { createAside } from './aside.ts';
import type { Change } from './change.ts';
import { accountOf } from './fits.ts';
import { has, maybeText, text } from './items.ts';
import { type Kind, kindOf } from './kinds.ts';
import { keepOwner } from './owners.ts';
import { personOf } from './persons.ts';
import { idOfEvent, parseEvent, type WrittenEvent } from './written-event.ts';

/**
 * The writes so far, as far as rules need them: the last state of items by their keys, and facts that an item itself
 * lacks. The ledger follows the writes, so that a rule never reads a whole table.
 */
export function createLedger() {
  const operations = new Map<string, Item>();
  const verifications = new Map<string, Item>();
  const payins = new Map<string, Item>();
  const deposits = new Map<string, Item>();
  /** When each deposit began to arrive, in milliseconds since 1970. */
  const arriving = new Map<string, number>();
  /** Hashes that are, or were, searched for. */
  const searches = new Map<string, Item>();
  const claims = new Map<string, Item>();
  const events = new Map<string, WrittenEvent>();
  const unpublished = new Map<string, Item>();
  /** Places of events in the feed of their client. */
  const places = new Map<string, string>();
  const deliveries = new Map<string, Item>();
  const webhooks = new Map<string, Item>();
  const clients = new Map<string, Item>();
  /** Commands of operators, by the id of their audit line. */
  const audits = new Map<string, Item>();
  const { applyBook, applyUser, ...aside } = createAside();
  /** The commands that persons ran on an id, from the audit: `approve-return ana`. */
  const asked = new Map<string, Set<string>>();
  /** The custodian's ids of deposits, by the ids that clients see. */
  const depositIds = new Map<string, string>();
  /** The last write of an off-ramp, pay-in or deposit, by its id. Milliseconds since 1970. */
  const writtenAt = new Map<string, number>();
  /** How often each deposit was filed as unmatched, which alerts a person. */
  const filed = new Map<string, number>();
  const health = new Map<string, Item>();
  /** Hashes that each operation claims: DECLARED, and FUNDED. */
  const declared = new Map<string, Set<string>>();
  const funded = new Map<string, Set<string>>();
  /** Deposits that were credited to each operation. */
  const credited = new Map<string, Set<string>>();
  /** Attempts of each operation whose window's end was published. */
  const windowsEnded = new Map<string, Set<string>>();
  /** Addresses of all operations. */
  const accounts = new Set<string>();
  /** All hashes that each operation ever had. */
  const hashes = new Map<string, Set<string>>();
  /** All URLs that each webhook ever had. */
  const urls = new Map<string, Set<string>>();
  /** The delivery of each event to each webhook, by both ids. */
  const deliveryOf = new Map<string, string>();
  /** The client that each id belongs to. */
  const owners = new Map<string, string>();
  /** The number of webhooks per client, and of active ones per client and process. */
  const webhookCounts = new Map<string, number>();

  const applyOperation = ({ after }: Change, now: number): void => {
    const operationId = text(after, 'operationId');
    writtenAt.set(operationId, now);
    keep(operations, operationId, after);
    accounts.add(accountOf(text(after, 'address')));
    if (has(after, 'txHash')) addTo(hashes, operationId, text(after, 'txHash'));
  };

  const applyDeposit = ({ key, before, after }: Change, now: number): void => {
    const id = text(key, 'custodianTransferId');
    keep(deposits, id, after);
    depositIds.set(depositIdOf(id), id);
    writtenAt.set(id, now);
    const isPutBack = has(before, 'return') || has(before, 'settled');
    const isNew = !isPutBack && !has(before, 'unmatched') && has(after, 'unmatched') && has(after, 'reasons');
    if (isNew && !has(after, 'ignoredReason')) filed.set(id, (filed.get(id) ?? 0) + 1);
    if (!has(after, 'arrivingAt')) arriving.delete(id);
    else if (maybeText(before, 'arrivingAt') !== maybeText(after, 'arrivingAt')) arriving.set(id, now);
    if (has(after, 'creditedAt')) addTo(credited, text(after, 'operationId'), id);
  };

  const applyPayin = ({ key, after }: Change, now: number): void => {
    keep(payins, text(key, 'payinId'), after);
    writtenAt.set(text(key, 'payinId'), now);
  };

  const applyAudit = ({ key, after }: Change): void => {
    keep(audits, text(key, 'auditId'), after);
    if (has(after, 'command'))
      addTo(asked, text(after, 'about'), `${text(after, 'command')} ${personOf(text(after, 'who'))}`);
  };

  const applyClaim = ({ before, after }: Change): void => {
    const claim = text(after ?? before, 'claim');
    const kind = claim.startsWith('DECLARED#') ? declared : claim.startsWith('FUNDED#') ? funded : undefined;
    const hash = claim.slice(claim.indexOf('#') + 1);
    keep(claims, claim, after);
    if (before !== undefined) kind?.get(text(before, 'operationId'))?.delete(hash);
    if (after !== undefined && kind !== undefined) addTo(kind, text(after, 'operationId'), hash);
  };

  const applyEvent = ({ before, after }: Change): void => {
    const eventId = idOfEvent(after ?? before);
    keep(unpublished, eventId, has(after, 'unpublishedIn') ? after : undefined);
    if (has(after, 'place')) places.set(eventId, text(after, 'place'));
    if (after === undefined || events.has(eventId)) return;
    const event = parseEvent(after);
    events.set(eventId, event);
    const { operationId, attempt } = event.data;
    if (event.type === 'ramp.deposit_hash.window_ended') addTo(windowsEnded, operationId ?? '', String(attempt));
  };

  const applyDelivery = ({ before, after }: Change): void => {
    const deliveryId = text(after ?? before, 'deliveryId');
    keep(deliveries, deliveryId, after);
    const place = `${text(after, 'eventId')} ${text(after, 'webhookId')}`;
    if (before === undefined && !deliveryOf.has(place)) deliveryOf.set(place, deliveryId);
  };

  const applyWebhook = ({ before, after }: Change): void => {
    const clientId = text(after ?? before, 'clientId');
    const step = (after === undefined ? 0 : 1) - (before === undefined ? 0 : 1);
    keep(webhooks, text(after ?? before, 'webhookId'), after);
    webhookCounts.set(clientId, (webhookCounts.get(clientId) ?? 0) + step);
    const process = `${clientId} ${text(after ?? before, 'process')}`;
    const activeStep = Number(after?.['status']?.BOOL === true) - Number(before?.['status']?.BOOL === true);
    webhookCounts.set(process, (webhookCounts.get(process) ?? 0) + activeStep);
    if (after !== undefined) addTo(urls, text(after, 'webhookId'), text(after, 'url'));
  };

  const followers: Readonly<Partial<Record<Kind, (change: Change, now: number) => void>>> = {
    OPERATION: applyOperation,
    VERIFICATION: ({ key, after }) => keep(verifications, text(key, 'operationId'), after),
    PAYIN: applyPayin,
    AUDIT: applyAudit,
    BOOK: applyBook,
    USER: applyUser,
    DEPOSIT: applyDeposit,
    SEARCH: ({ key, after }) => after !== undefined && searches.set(text(key, 'custodianTransferId'), after),
    CLAIM: applyClaim,
    EVENT: applyEvent,
    DELIVERY: applyDelivery,
    WEBHOOK: applyWebhook,
    HEALTH: ({ key, after }) => keep(health, text(key, 'webhookId'), after),
    CLIENT: ({ after }) => keep(clients, text(after, 'clientId'), after),
  };

  return {
    operations,
    verifications,
    payins,
    deposits,
    arriving,
    searches,
    claims,
    accounts,
    events,
    unpublished,
    places,
    deliveries,
    webhooks,
    clients,
    audits,
    ...aside,
    asked,
    depositIds,
    writtenAt,
    filed,
    health,
    declared,
    funded,
    credited,
    windowsEnded,
    hashes,
    urls,
    deliveryOf,
    owners,
    webhookCounts,
    /** Applies one change; must be called for all changes of a request before its rules are checked. */
    apply(change: Change, now: number): void {
      keepOwner(change, owners);
      followers[kindOf(change)]?.(change, now);
    },
  };
}

export type Ledger = ReturnType<typeof createLedger>;

function keep(items: Map<string, Item>, key: string, item: Item | undefined): void {
  if (item === undefined) items.delete(key);
  else items.set(key, item);
}

function addTo(sets: Map<string, Set<string>>, key: string, member: string): void {
  sets.set(key, (sets.get(key) ?? new Set<string>()).add(member));
}
