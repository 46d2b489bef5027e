import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { StrictName } from '#infra/stage/settings.ts';
import { clientApproval } from '#shared/clients/client-approval.ts';
import { createClientOnboarding } from '#shared/clients/client-onboarding.ts';
import { createClientApprovals } from '#shared/clients/client-repository.ts';
import { createEventRepository } from '#shared/events/event-repository.ts';
import { externalEventId, requireEventKey } from '#shared/events/service-event.ts';
import { releaseDeclaration } from '#shared/off-ramps/store/claims.ts';
import { LIST_PREFIX } from '#shared/off-ramps/store/deposit-polls.ts';
import { createEndOperation } from '#shared/off-ramps/transitions/end-operation.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { transact } from '#shared/platform/dynamodb/transaction.ts';
import { HASH, offRamp } from '#test/support/off-ramp.ts';

type Tables = Readonly<Record<'operations' | 'hashes' | 'deposits' | 'events' | 'clients', string>>;

export interface Trial {
  readonly what: string;
  readonly isAllowed: boolean;
  readonly run: (dynamo: DynamoDBDocumentClient) => Promise<unknown>;
}

export interface Trials {
  /** Below `functions`, and how the logical id of its role begins. */
  readonly folder: string;
  readonly role: string;
  readonly conditions: readonly StrictName[];
  readonly trials: readonly Trial[];
}

/**
 * What the functions really write, of things that do not exist: who may write them is told by AWS that a condition of the
 * write itself fails, and nothing is written. What they never write is refused.
 */
export function trialsOn(tables: Tables, newId: () => string): readonly Trials[] {
  const [id, clientId] = [newId(), newId()];
  const txHash = `0x${id.replaceAll('-', '').repeat(2)}`;
  const unknown = offRamp({ operationId: id, clientId, txHash });
  const approval = clientApproval.parse({ clientId, complianceStatus: 'pending', status: 'pending' });
  const event = {
    eventId: externalEventId('try.permissions', id),
    clientId,
    type: 'try.permissions',
    occurredAt: new Date().toISOString(),
  };
  return [
    {
      folder: 'off-ramps/apply-status-change',
      role: 'StatusChangesapplystatuschangeRole',
      conditions: ['declared-hashes', 'searches'],
      trials: [
        {
          what: 'ends an off-ramp, releases its hash and has it looked for',
          isAllowed: true,
          run: (dynamo) =>
            createEndOperation(dynamo, tables, systemClock)(unknown, { status: 'FAILED', reason: 'A trial' }),
        },
        {
          what: 'deletes a claim that has funded an off-ramp',
          isAllowed: false,
          run: (dynamo) => transact(dynamo, { funded: fundedClaim(tables.hashes, id) }),
        },
        {
          what: 'puts a whole deposit',
          isAllowed: false,
          run: (dynamo) => dynamo.send(putOnlyIfThere(tables.deposits, { custodianTransferId: id })),
        },
      ],
    },
    {
      folder: 'off-ramps/reconcile-custodian',
      role: 'DetectionreconcilecustodianRole',
      conditions: ['searches'],
      trials: [
        {
          what: 'says how far the list of a custodian is read',
          isAllowed: true,
          run: (dynamo) => dynamo.send(putOnlyIfThere(tables.deposits, { custodianTransferId: LIST_PREFIX + id })),
        },
        {
          what: 'puts a whole deposit',
          isAllowed: false,
          run: (dynamo) => dynamo.send(putOnlyIfThere(tables.deposits, { custodianTransferId: id })),
        },
      ],
    },
    {
      folder: 'clients/apply-client-status',
      role: 'ClientStatusChangesapplyclientstatusRole',
      conditions: ['client-secrets'],
      trials: [
        {
          what: 'changes the approval of a client',
          isAllowed: true,
          run: (dynamo) =>
            createClientApprovals(dynamo, tables, systemClock).change(approval, {
              ...approval,
              status: 'suspended',
              sequence: 1,
            }),
        },
        {
          what: 'writes secrets of a client',
          isAllowed: false,
          run: (dynamo) =>
            createClientOnboarding(dynamo, tables.clients, systemClock).replaceSecrets(
              clientId,
              { secretDigests: ['none'] },
              { secretDigests: ['none'], previousSecretUntil: event.occurredAt },
            ),
        },
      ],
    },
    {
      folder: 'webhooks/fan-out-event',
      role: 'DeliveriesfanouteventRole',
      conditions: ['outbox'],
      trials: [
        {
          what: 'keeps an event of another service',
          isAllowed: true,
          // Kept as long as any, and published by nobody.
          run: (dynamo) => createEventRepository(dynamo, tables.events).record({ ...event, body: '{}' }, systemClock),
        },
        {
          what: 'puts an event that the stream publishes as ours',
          isAllowed: false,
          run: (dynamo) =>
            dynamo.send(
              putOnlyIfThere(tables.events, { ...requireEventKey(`${event.eventId}_2`), unpublishedIn: 'EVENT#0' }),
            ),
        },
      ],
    },
  ];
}

/** As a declaration is released, of the other kind of claim. */
function fundedClaim(table: string, operationId: string) {
  const { released } = releaseDeclaration(table, { operationId, txHash: HASH });
  if (released?.Delete === undefined) throw new Error('A declaration is no longer released by deleting it.');
  return { Delete: { ...released.Delete, Key: { claim: `FUNDED#${operationId}` } } };
}

/** It never is: the keys are ids of this trial. */
function putOnlyIfThere(table: string, item: Readonly<Record<string, string>>): PutCommand {
  const [key = ''] = Object.keys(item);
  return new PutCommand({ TableName: table, Item: { ...item }, ConditionExpression: `attribute_exists(${key})` });
}

/** Whether the outcome of a write is that its role may make it. @throws when it says neither */
export async function wasAllowed(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    if (name === 'AccessDeniedException') return false;
    if (['ConditionalCheckFailedException', 'WriteConflict'].includes(name)) return true;
    throw error;
  }
}
