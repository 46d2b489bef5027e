import { createDeliveryQueue } from '#shared/webhooks/delivery-queue.ts';
import { createDeliveryStore } from '#shared/webhooks/delivery-store.ts';
import { createResend } from '#shared/webhooks/resend.ts';
import * as webhookCommands from '#shared/webhooks/webhook-commands.ts';
import { createWebhookHealthStore } from '#shared/webhooks/webhook-health-store.ts';
import { createChangeWebhook, createWebhookStore } from '#shared/webhooks/webhook-store.ts';
import { deactivateWebhook } from './deactivate-as-operator.ts';
import type { Changes } from './dependencies.ts';
import { redriveDeliveries } from './redrive-deliveries.ts';
import { resend } from './resend.ts';

/** Of webhooks and of what is delivered to them. */
export const webhookChanges: Changes = (underAudit, deps) => {
  const { dynamo, tables, sendDeliveryMessage, sendReplayMessage, clock } = deps;
  const webhooks = createWebhookStore(dynamo, tables.webhooks);
  const deliveries = createDeliveryStore(dynamo, tables.deliveries);
  const resendNow = createResend({
    health: createWebhookHealthStore(dynamo, tables.webhookHealth, clock),
    queue: createDeliveryQueue(dynamo, tables.deliveries, clock),
    sendMessage: sendDeliveryMessage,
    clock,
  });
  const changeWebhook = createChangeWebhook(dynamo, tables.webhooks);
  return [
    underAudit(webhookCommands.resend, resend({ deliveries, webhooks, resend: resendNow, clock })),
    underAudit(
      webhookCommands.redriveDeliveries,
      redriveDeliveries({ webhooks, sendMessage: sendReplayMessage, clock }),
    ),
    underAudit(webhookCommands.deactivateWebhook, deactivateWebhook({ webhooks, changeWebhook, clock })),
  ];
};
