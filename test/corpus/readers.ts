import { incomingEvent } from '#functions/off-ramps/apply-status-change/apply-status-change.ts';
import { pollInput } from '#functions/off-ramps/check-deposit/check-deposit.ts';
import { outgoingMovement } from '#functions/operators/look-up-books/report-movements.ts';
import { agreedPage, listPass } from '#functions/pay-ins/reconcile-payments/list-passes.ts';
import type { TableName } from '#infra/stage/table-shapes.ts';
import { clientApproval } from '#shared/clients/client-approval.ts';
import { identificationHolder } from '#shared/clients/client-onboarding.ts';
import { client, storedProfile } from '#shared/clients/client-repository.ts';
import { allowance } from '#shared/clients/daily-allowances.ts';
import { queuedClientStatus } from '#shared/clients/incoming-client-status.ts';
import { tokenLimit } from '#shared/clients/token-limit.ts';
import { externalWallet, user } from '#shared/clients/user.ts';
import { eventItem } from '#shared/events/event-feed.ts';
import { queuedEvent } from '#shared/events/notified-events.ts';
import { subjectEvent } from '#shared/events/subject-events.ts';
import { freeEntry, pooledAddress, poolState, unfinishedEntry } from '#shared/off-ramps/custodians/address-pool.ts';
import { takenCount, userEntry } from '#shared/off-ramps/custodians/take-address.ts';
import { deposit } from '#shared/off-ramps/model/deposit.ts';
import { offRamp } from '#shared/off-ramps/model/off-ramp.ts';
import { verification } from '#shared/off-ramps/model/verification.ts';
import { assignment } from '#shared/off-ramps/store/address-owners.ts';
import { claim, funding } from '#shared/off-ramps/store/claims.ts';
import { custodianList } from '#shared/off-ramps/store/custodian-lists.ts';
import { parseDepositPoll } from '#shared/off-ramps/store/deposit-polls.ts';
import { hashSearch, reportCount } from '#shared/off-ramps/store/hash-searches.ts';
import { supportedToken } from '#shared/parameters/parameter-lists.ts';
import { operatorDecision } from '#shared/parameters/parameter-store.ts';
import { bankRefresh, ruledBank } from '#shared/parameters/ruled-banks.ts';
import { polledPayin } from '#shared/pay-ins/pay-in-repository.ts';
import { bookDay, bookRun, explanation } from '#shared/platform/books/book.ts';
import { record } from '#shared/platform/dynamodb/idempotency-records.ts';
import { storedPause } from '#shared/platform/dynamodb/provider-limits.ts';
import { heldSlot } from '#shared/platform/dynamodb/slots.ts';
import { auditedChange, auditedResult } from '#shared/platform/operators/audit-records.ts';
import { proposal } from '#shared/platform/operators/proposals.ts';
import { parseDeliveryMessage } from '#shared/webhooks/delivery/delivery-messages.ts';
import { parseReplayMessage } from '#shared/webhooks/delivery/replay-messages.ts';
import { webhook } from '#shared/webhooks/model/webhook.ts';
import { parseDelivery } from '#shared/webhooks/store/delivery-repository.ts';
import { versionedHealth } from '#shared/webhooks/store/webhook-health-repository.ts';

/** What the service reads one thing with, in each of its ways. What only conditions of writes read has none. */
type Readers = readonly { parse(value: unknown): unknown }[];

/** By what a part of the key begins with: the first one that fits is the kind. */
type Kinds = readonly (readonly [kind: string, Readers])[];

/** By function, which takes them from a queue. */
const messages: Kinds = [
  ['clients/apply-client-status', [queuedClientStatus]],
  ['off-ramps/apply-status-change', [incomingEvent]],
  ['off-ramps/match-deposit', [asText(parseDepositPoll)]],
  ['off-ramps/simulate-payout', []],
  ['webhooks/deliver-webhook', [asText(parseDeliveryMessage)]],
  ['webhooks/fan-out-event', [queuedEvent]],
  ['webhooks/replay-client-events', [asText(parseReplayMessage)]],
];

/** What an execution hands to the function at each poll: at the first one its input, then with the last result. */
const executions: Kinds = [['off-ramps/check-deposit', [pollInput]]];

const items: Readonly<Record<TableName, Kinds>> = {
  operations: [
    ['OPERATION', [offRamp]],
    ['VERIFICATION', [verification]],
  ],
  hashes: [
    ['ADDRESS#', [assignment]],
    ['DECLARED#', [claim]],
    ['FUNDED#', [claim, funding]],
    ['', [funding]],
  ],
  deposits: [
    ['HASH#', [hashSearch]],
    ['REPORTS#', [reportCount]],
    ['LIST#', [custodianList]],
    ['', [deposit]],
  ],
  payins: [
    ['PAYIN', [polledPayin]],
    ['LIST_PASS', [listPass]],
    ['LIST_PAGE#', [agreedPage]],
    ['CLAIM', []],
  ],
  books: [
    ['RUNS', [bookRun]],
    ['OUT#', [outgoingMovement]],
    ['SENT#', []],
    ['EXPLAINED#', [explanation]],
    ['', [bookDay]],
  ],
  events: [['', [subjectEvent, eventItem]]],
  deliveries: [['', [{ parse: parseDelivery }]]],
  webhookHealth: [['', [versionedHealth]]],
  slots: [['', [heldSlot]]],
  allowances: [
    ['tokens#', [tokenLimit]],
    ['', [allowance]],
  ],
  providerLimits: [
    ['PAUSE#', [storedPause]],
    ['', []],
  ],
  addressPool: [
    ['USER#', [userEntry]],
    ['OPERATION#', [pooledAddress]],
    ['FREE#', [freeEntry]],
    ['MAKING#', [unfinishedEntry]],
    ['STATE', [poolState]],
    ['', [takenCount]],
  ],
  clients: [
    ['IDENTIFICATION#', [identificationHolder]],
    ['', [client, clientApproval, storedProfile]],
  ],
  users: [['', [user]]],
  wallets: [['', [externalWallet]]],
  parameters: [
    ['BANK_LIST', [bankRefresh]],
    ['BANK', [ruledBank]],
    ['TOKEN', [supportedToken, operatorDecision]],
  ],
  webhooks: [
    ['#', []],
    ['', [webhook]],
  ],
  audit: [
    ['ASKED', [auditedChange]],
    ['ENDED', [auditedResult]],
  ],
  proposals: [['', [proposal]]],
  idempotency: [['', [record]]],
  // The simulated providers' own, which hold no money.
  simulatedTransactions: [['', []]],
  simulatedPayments: [['', []]],
};

const kinds: Readonly<Record<string, Kinds>> = { ...items, messages, executions };

/** What the corpus has one of: an item of a table, a message or an input, with what it is and what is not read of it. */
export interface Kept {
  readonly kind: string;
  /** Names of what the release that wrote it does not read there: keys of indexes, and what it keeps for people. */
  readonly unread: readonly string[];
  readonly value: unknown;
}

/** @param keys the parts of its key, or its name */
export function kindOf(source: string, keys: readonly string[]): string | undefined {
  return kinds[source]?.find(([kind]) => keys.some((key) => key.startsWith(kind)))?.[0];
}

/** Names of what this code does not read of it. @throws when it cannot be read, or has a kind that nothing reads */
export function unreadOf(source: string, kind: string, value: unknown): readonly string[] {
  const readers = kinds[source]?.find(([name]) => name === kind)?.[1];
  if (readers === undefined) throw new Error(`Nothing reads ${source} ${kind}.`);
  const read = new Set(readers.flatMap((reader) => namesIn(reader.parse(value))));
  return namesIn(value).filter((name) => !read.has(name));
}

/** `return.approvals[].by`: all names in a value, however deep, each once. */
function namesIn(value: unknown, within = ''): readonly string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap((one) => namesIn(one, `${within}[]`)))];
  if (typeof value !== 'object' || value === null) return [];
  const present = Object.entries(value).filter(([, one]) => one !== undefined);
  return present.flatMap(([name, one]) => {
    const path = within === '' ? name : `${within}.${name}`;
    return [path, ...namesIn(one, path)];
  });
}

function asText(parse: (body: string) => unknown) {
  return { parse: (value: unknown) => parse(JSON.stringify(value)) };
}
