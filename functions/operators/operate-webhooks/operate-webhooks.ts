import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createUnderAudit } from '#shared/operators/audited.ts';
import { byPath, type Handler } from '#shared/operators/by-path.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { SendDeliveryMessage } from '#shared/webhooks/delivery-messages.ts';
import { createDeliveryQueue } from '#shared/webhooks/delivery-queue.ts';
import { createDeliveryStore } from '#shared/webhooks/delivery-store.ts';
import type { SendReplayMessage } from '#shared/webhooks/replay-messages.ts';
import { createResend } from '#shared/webhooks/resend.ts';
import * as webhookCommands from '#shared/webhooks/webhook-commands.ts';
import { createWebhookHealthStore } from '#shared/webhooks/webhook-health-store.ts';
import { createChangeWebhook, createWebhookStore } from '#shared/webhooks/webhook-store.ts';
import { deactivateWebhook } from './deactivate-as-operator.ts';
import { redriveDeliveries } from './redrive-deliveries.ts';
import { resend } from './resend.ts';

interface Dependencies {
  readonly dynamo: DynamoDBDocumentClient;
  readonly tables: Readonly<Record<'audit' | 'webhooks' | 'webhookHealth' | 'deliveries', string>>;
  readonly sendDeliveryMessage: SendDeliveryMessage;
  readonly sendReplayMessage: SendReplayMessage;
  readonly clock: Clock;
  readonly newId: () => string;
}

/** What operators change of webhooks and of what is delivered to them. */
export function operateWebhooks(deps: Dependencies): Handler {
  const { dynamo, tables, sendDeliveryMessage, sendReplayMessage, clock, newId } = deps;
  const underAudit = createUnderAudit(dynamo, tables.audit, clock, newId);
  const webhooks = createWebhookStore(dynamo, tables.webhooks);
  const deliveries = createDeliveryStore(dynamo, tables.deliveries);
  const resendNow = createResend({
    health: createWebhookHealthStore(dynamo, tables.webhookHealth, clock),
    queue: createDeliveryQueue(dynamo, tables.deliveries, clock),
    sendMessage: sendDeliveryMessage,
    clock,
  });
  const changeWebhook = createChangeWebhook(dynamo, tables.webhooks);
  return byPath(
    new Map([
      underAudit(webhookCommands.resend, resend({ deliveries, webhooks, resend: resendNow, clock })),
      underAudit(
        webhookCommands.redriveDeliveries,
        redriveDeliveries({ webhooks, sendMessage: sendReplayMessage, clock }),
      ),
      underAudit(webhookCommands.deactivateWebhook, deactivateWebhook({ webhooks, changeWebhook, clock })),
    ]),
  );
}
