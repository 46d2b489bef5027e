import type * as z from 'zod/mini';
import type { readOperationContract } from '#shared/operators/lookups.ts';
import type { Machine } from '../state-graph.ts';
import { answerView } from './answer-view.ts';
import { badge, code, element, facts, section, shortCode, stateFigure, table } from './elements.ts';
import { link } from './lists.ts';
import { returnView } from './return-view.ts';
import { time } from './times.ts';

type Operation = z.infer<(typeof readOperationContract)['success']['body']>;

/** Checks one field: the service answers by its contract, so the answer is not parsed again here. */
export function isOperation(answer: unknown): answer is Operation {
  return typeof answer === 'object' && answer !== null && 'operationId' in answer;
}

/** One off-ramp: what happens next, its verification in the graph, and its history. */
export function operationView(operation: Operation, machine: Machine): readonly Node[] {
  return [
    head(operation),
    next(operation),
    ...operation.deposits.map(returnView).filter((one) => one !== undefined),
    verification(operation, machine),
    life(operation),
    ...happened(operation),
    ...further(operation),
  ];
}

/** Fields with a place of their own on the page, and the sequence, which is for programs. */
const PLACED = new Set([
  ...['operationId', 'status', 'next', 'clientId', 'userId', 'network', 'token', 'amount', 'address', 'addressTag'],
  ...['senderAddress', 'externalReference', 'createdAt', 'expiresAt', 'sequence', 'hash', 'statusHistory', 'deposits'],
  ...['endsAt', 'payout', 'events', 'deliveries'],
]);

/** All other fields of the answer. */
function further(operation: Operation): readonly HTMLElement[] {
  const others = Object.entries(operation).filter(([name]) => !PLACED.has(name));
  return others.length === 0 ? [] : [section('Further', answerView(Object.fromEntries(others)))];
}

function head({ amount, token, network, status, operationId }: Operation): HTMLElement {
  const title = element('h1', {}, `${amount} ${token} `, element('small', {}, `on ${network}`), ' ', badge(status));
  return element('div', {}, title, element('p', {}, 'Off-ramp ', element('code', {}, operationId)));
}

function next({ next: { who, what, at } }: Operation): HTMLElement {
  return element(
    'section',
    { class: 'next' },
    element('h2', {}, 'What happens next'),
    element('p', {}, element('strong', {}, who), ' ', what),
    at === undefined ? undefined : element('p', {}, 'The service looks again at ', time(at)),
  );
}

function verification({ hash }: Operation, machine: Machine): HTMLElement {
  const { executionState: state, execution } = hash;
  const where = state ?? (execution === undefined ? 'none: no hash was reported' : 'not known: it is overdue');
  const polls = hash.polls.map(({ at, found, nextCheckAt }) => [time(at), found, time(nextCheckAt)]);
  return section(
    'Verification of the deposit',
    element(
      'div',
      { class: 'beside' },
      stateFigure('A verification', machine, state, where),
      facts([
        ['Hash', element('span', {}, badge(hash.status), ' ', hash.inWords)],
        ['Reason', code(hash.reason)],
        ['Reported hash', code(hash.txHash)],
        ['Verified hash', code(hash.verifiedTxHash)],
        ['Confirmations', confirmations(hash)],
        ['Last check', time(hash.lastCheckedAt)],
        ['Next check', time(hash.nextCheckAt)],
        ['Window ends', time(hash.windowEndsAt)],
        ['Attempt', hash.attempt?.toString()],
        ['Execution', code(execution)],
      ]),
    ),
    polls.length === 0 ? undefined : element('h3', {}, 'Checks of this attempt'),
    polls.length === 0 ? undefined : table('Checks of this attempt', ['At', 'Found', 'Next check'], polls),
  );
}

function confirmations({ confirmations: seen, requiredConfirmations: needed }: Operation['hash']): string | undefined {
  return seen === undefined ? undefined : `${seen} of ${needed}`;
}

function life(operation: Operation): HTMLElement {
  const { statusHistory, payout, externalReference, senderAddress, address, addressTag } = operation;
  const steps = statusHistory.map(({ status, at, reason }) =>
    element('li', {}, badge(status), ' ', time(at), reason === undefined ? '' : ` ${reason}`),
  );
  return section(
    'The off-ramp',
    element('ol', { class: 'life', 'aria-label': 'Its statuses' }, ...steps),
    facts([
      ['Payout', element('span', {}, badge(payout.status), ' ', payout.reason ?? '')],
      ['Paid out', payout.amount === undefined ? undefined : `${payout.amount} ${payout.currency ?? ''}`],
      ['Payout reference', code(payout.reference)],
      ['Paid at', time(payout.paidAt)],
      ['Reference of the client', externalReference],
      ['Client', code(operation.clientId)],
      ['User', code(operation.userId)],
      ['From wallet', code(senderAddress)],
      ['To address', code(address)],
      ['Tag', code(addressTag)],
      ['Created', time(operation.createdAt)],
      ['Window ends', time(operation.expiresAt)],
      ['Ends, if nothing arrives', operation.status === 'AWAITING_DEPOSIT' ? time(operation.endsAt) : undefined],
    ]),
  );
}

function happened({ deposits, events, deliveries }: Operation): readonly HTMLElement[] {
  const none = (what: string) => element('p', {}, what);
  const depositRows = deposits.map((one) => [
    one.status && badge(one.status),
    `${one.amount ?? '?'} ${one.assetId ?? ''}`,
    one.reasons?.join(', '),
    shortCode(one.txHash),
    time(one.detectedAt),
    link('deposit', one.custodianTransferId),
  ]);
  const eventRows = events.map(({ eventId, type, status, occurredAt, isPublished }) => [
    time(occurredAt),
    type,
    status && badge(status),
    isPublished ? 'yes' : 'not yet',
    shortCode(eventId),
  ]);
  const deliveryRows = deliveries.map((one) => [
    badge(one.status),
    one.reason,
    String(one.attemptsLogged),
    one.lastResult,
    time(one.nextAttemptAt),
    shortCode(one.eventId),
    link('delivery', one.deliveryId),
  ]);
  return [
    section(
      'Deposits',
      deposits.length === 0
        ? none('Nothing has arrived at its address.')
        : table('Deposits', ['Status', 'Amount', 'Reasons', 'Hash', 'Detected', 'Deposit'], depositRows),
    ),
    section('Events', table('Events', ['At', 'Type', 'Status', 'On the bus', 'Event'], eventRows)),
    section(
      'Deliveries to webhooks',
      deliveries.length === 0
        ? none('No webhook of the client receives its events.')
        : table(
            'Deliveries',
            ['Status', 'Reason', 'Attempts', 'Last result', 'Next attempt', 'Event', 'Delivery'],
            deliveryRows,
          ),
    ),
  ];
}
