import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '#shared/platform/clock.ts';
import { createRegisterCommand } from '#shared/platform/operators/audited.ts';
import { type Handler, routeByPath } from '#shared/platform/operators/route-by-path.ts';
import * as webhookCommands from '#shared/webhooks/contract/webhook-commands.ts';
import type { SendDeliveryMessage } from '#shared/webhooks/delivery/delivery-messages.ts';
import type { SendReplayMessage } from '#shared/webhooks/delivery/replay-messages.ts';
import { createResend } from '#shared/webhooks/delivery/resend.ts';
import { createDeliveryQueue, createDeliveryRepository } from '#shared/webhooks/store/delivery-repository.ts';
import { createWebhookHealthRepository } from '#shared/webhooks/store/webhook-health-repository.ts';
import { createChangeWebhook, createWebhookRepository } from '#shared/webhooks/store/webhook-repository.ts';
import { deactivateAsOperator } from './deactivate-as-operator.ts';
import { redriveDeliveries } from './redrive-deliveries.ts';
import { resendAsOperator } from './resend-as-operator.ts';

interface Dependencies {
  readonly dynamo: DynamoDBDocumentClient;
  readonly tables: Readonly<Record<'audit' | 'webhooks' | 'webhookHealth' | 'deliveries', string>>;
  readonly sendDeliveryMessage: SendDeliveryMessage;
  readonly sendReplayMessage: SendReplayMessage;
  readonly clock: Clock;
  readonly newId: () => string;
}

/** All changes that operators can make to webhooks and their deliveries. */
export function operateWebhooks(deps: Dependencies): Handler {
  const { dynamo, tables, sendDeliveryMessage, sendReplayMessage, clock, newId } = deps;
  const registerCommand = createRegisterCommand(dynamo, tables.audit, clock, newId);
  const webhooks = createWebhookRepository(dynamo, tables.webhooks);
  const deliveries = createDeliveryRepository(dynamo, tables.deliveries);
  const resend = createResend({
    health: createWebhookHealthRepository(dynamo, tables.webhookHealth, clock),
    queue: createDeliveryQueue(dynamo, tables.deliveries, clock),
    sendMessage: sendDeliveryMessage,
    clock,
  });
  const changeWebhook = createChangeWebhook(dynamo, tables.webhooks);
  return routeByPath(
    new Map([
      registerCommand(webhookCommands.resendContract, resendAsOperator({ deliveries, webhooks, resend, clock })),
      registerCommand(
        webhookCommands.redriveDeliveriesContract,
        redriveDeliveries({ webhooks, sendMessage: sendReplayMessage, clock }),
      ),
      registerCommand(
        webhookCommands.deactivateWebhookContract,
        deactivateAsOperator({ webhooks, changeWebhook, clock }),
      ),
    ]),
  );
}
