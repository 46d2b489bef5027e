import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { testWebhook } from '#functions/webhooks/test-webhook/test-webhook.ts';
import { eventTypeOf, publishedEvents } from '#infra/webhooks/published-events.ts';
import { clientApproval } from '#shared/clients/client-approval.ts';
import { createClientApprovals } from '#shared/clients/client-repository.ts';
import { deposit } from '#shared/off-ramps/model/deposit.ts';
import { offRamp } from '#shared/off-ramps/model/off-ramp.ts';
import { mismatch, verification } from '#shared/off-ramps/model/verification.ts';
import {
  depositStatusChange,
  operationEvents,
  windowEndedEvent,
} from '#shared/off-ramps/store/off-ramp-event-records.ts';
import { payin } from '#shared/pay-ins/pay-in.ts';
import { reversedEventOf, statusChangeOf } from '#shared/pay-ins/pay-in-records.ts';
import type { TransactionLeg } from '#shared/platform/dynamodb/transaction.ts';
import { testWebhookContract } from '#shared/webhooks/contract/delivery-contract.ts';
import { webhook } from '#shared/webhooks/model/webhook.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { healthInMemory } from '#test/support/health-in-memory.ts';
import { CLIENT, OPERATION, USER } from '#test/support/ids.ts';
import * as off from '#test/support/off-ramp.ts';
import { payinOf } from '#test/support/pay-ins-in-memory.ts';
import { routeCall } from '#test/support/route-call.ts';
import { tablesInMemory } from '#test/support/tables-in-memory.ts';
import { webhookOf, webhooksInMemory } from '#test/support/webhooks-in-memory.ts';

const NOW = new Date(off.CREATED_AT);
const newId = () => '77777777-7777-4777-8777-777777777777';
const source = { table: 'events', now: NOW };

const sent = z.object({ type: z.string(), data: z.record(z.string(), z.unknown()) });
const stored = z.object({ Put: z.object({ Item: z.object({ body: z.string() }) }) });

const bodyOf = (leg: TransactionLeg | undefined): string => stored.parse(leg).Put.Item.body;

interface Made {
  /** Schema of the entity: a field that it shares with the event must be in the event's body. */
  readonly entity: z.ZodMiniObject;
  /** An entity with a value for every field of the event. */
  readonly whole: Readonly<Record<string, unknown>>;
  /** Fields whose value in the event differs from the entity's, such as the next sequence. */
  readonly computed: readonly string[];
  /** The body of the event that the service makes from the entity. */
  readonly body: () => string | Promise<string>;
}

const both = { txHash: off.HASH, verifiedTxHash: off.HASH };
const payout = { amount: '402000', currency: 'COP', reference: 'P-1', paidAt: off.CREATED_AT };
const operation = off.offRamp({ status: 'COMPLETED', sequence: 4, payout, ...both });
const attempt = off.verification();
const found = {
  ...off.transfer(),
  firstNotifiedAt: off.CREATED_AT,
  lastNotifiedAt: off.CREATED_AT,
  operationId: OPERATION,
  userId: USER,
  clientId: CLIENT,
  sequence: 2,
  transfer: off.transfer(),
  reasons: ['WRONG_AMOUNT'],
};
const takenBack = payinOf({ status: 'COMPLETED', sequence: 3, reversedAt: off.CREATED_AT });
const approval = { clientId: CLIENT, complianceStatus: 'approved', status: 'approved', sequence: 3 };
const results = { resultIds: ['evt_1'], withheld: { eventId: 'evt_1', at: off.CREATED_AT } };

const made: Readonly<Record<string, Made>> = {
  'ramp.operation.status_changed': {
    entity: offRamp,
    whole: operation,
    computed: [],
    body: () => bodyOf(operationEvents(source, off.offRamp(), operation).operationEvent),
  },
  'ramp.deposit_hash.status_changed': {
    entity: offRamp,
    whole: operation,
    computed: ['status'],
    body: () => bodyOf(operationEvents(source, off.offRamp({ txHash: off.HASH }), operation).hashEvent),
  },
  'ramp.deposit_hash.window_ended': {
    entity: z.extend(z.extend(offRamp, verification.shape), mismatch.shape),
    whole: { ...operation, ...attempt, reason: 'NOT_FOUND' },
    computed: ['status', 'sequence'],
    body: () => bodyOf(windowEndedEvent(source, operation, attempt, { reason: 'NOT_FOUND' })),
  },
  'ramp.deposit.status_changed': {
    entity: deposit,
    whole: found,
    computed: ['status', 'sequence'],
    body: () => bodyOf(depositStatusChange(source, undefined, deposit.parse(found)).event),
  },
  'ramp.payin.status_changed': {
    entity: payin,
    whole: payinOf(),
    computed: ['status', 'sequence'],
    body: () => {
      const written = { table: 'payins', events: 'events' };
      return bodyOf(statusChangeOf(written, payinOf(), 'PENDING', off.CREATED_AT, {}).legs.event);
    },
  },
  'ramp.payin.reversed': {
    entity: payin,
    whole: takenBack,
    computed: [],
    body: () => bodyOf(reversedEventOf(source, takenBack)),
  },
  'compliance.client.status_changed': {
    entity: clientApproval,
    whole: approval,
    computed: [],
    body: async () => {
      const { dynamo, table } = tablesInMemory();
      const before = { ...approval, ...results, status: 'suspended', sequence: 2 };
      table('clients').put(before);
      const approvals = createClientApprovals(
        dynamo,
        { clients: 'clients', events: 'events' },
        fakeClock(off.CREATED_AT),
      );
      await approvals.change(before, { ...approval, ...results });
      return String(table('events').items()[0]?.['body']);
    },
  },
  'webhook.test': {
    entity: webhook,
    whole: webhookOf(),
    computed: [],
    body: async () => {
      const clock = fakeClock(off.CREATED_AT);
      let body = '';
      const sendEvent = async (_: unknown, event: { readonly body: string }) => {
        body = event.body;
        return { at: off.CREATED_AT, durationMs: 1, statusCode: 200 };
      };
      const webhooks = webhooksInMemory(webhookOf());
      await testWebhook({ webhooks, health: healthInMemory(clock), sendEvent, clock, newId })(
        routeCall(testWebhookContract, {}),
      );
      return body;
    },
  },
};

describe('the body of an event is derived from its schema:', () => {
  test('each event of this service has a case here', () => {
    expect(Object.keys(made).toSorted()).toEqual(publishedEvents.map(eventTypeOf).toSorted());
  });

  test.each(publishedEvents.map((event) => [eventTypeOf(event), event.schema] as const))(
    '%s has every field that its schema promises, with the value of its resource',
    async (type, schema) => {
      const { entity, whole, computed, body } = made[type] ?? expect.fail();
      const { data } = sent.parse(JSON.parse(await body()));
      const promised = Object.keys(schema.shape.data.shape);
      expect(Object.keys(data).toSorted()).toEqual(promised.toSorted());
      const shared = promised.filter((field) => field in entity.shape && !computed.includes(field));
      expect(data).toMatchObject(Object.fromEntries(shared.map((field) => [field, whole[field]])));
      expect(shared.filter((field) => whole[field] === undefined)).toEqual([]);
    },
  );
});
