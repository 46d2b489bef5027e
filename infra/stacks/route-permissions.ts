import { Aws } from 'aws-cdk-lib';
import { nameTokenIssuer } from '#infra/clients/access-tokens.ts';
import type { ServiceBus } from '#infra/events/event-bus.ts';
import type { DepositDetection } from '#infra/off-ramps/deposit-detection.ts';
import type { DepositVerification } from '#infra/off-ramps/deposit-verification.ts';
import type { Keys } from '#infra/platform/keys.ts';
import { allowAskingCustodians, allowAskingRails, nameCustodians } from '#infra/platform/partners.ts';
import type { Permission } from '#infra/platform/route.ts';
import type { ServiceFunction } from '#infra/platform/service-function.ts';
import type { Stage } from '#infra/stage/stages.ts';
import type { WebhookDeliveries } from '#infra/webhooks/webhook-deliveries.ts';
import { NO_USAGE_PLAN } from '#shared/clients/client-keys.ts';
import { COMPLIANCE, PAYOUTS } from '#shared/events/incoming-events.ts';
import { receiveCustodianNotificationContract } from '#shared/off-ramps/custodians/custodian-notification-contract.ts';
import { simulatedCustodian } from '#shared/off-ramps/custodians/simulated/simulated-custodian-deployment.ts';
import { receiveRailNotificationContract } from '#shared/pay-ins/rails/rail-notification-contract.ts';
import { simulatedRail } from '#shared/pay-ins/rails/simulated/simulated-rail-deployment.ts';

/** The parts of the service, besides tables, that routes use. */
export interface ServiceParts {
  readonly keys: Keys;
  readonly bus: ServiceBus;
  readonly verification: DepositVerification;
  readonly detection: DepositDetection;
  readonly deliveries: WebhookDeliveries;
}

/**
 * Grants a function the permissions of its route.
 *
 * @param providersUrl the address for notifications; read once that API exists
 * @param usagePlanId of the clients' API, if they are limited; read once it exists
 */
export function createPermissions(
  stage: Stage,
  { keys, bus, verification, detection, deliveries }: ServiceParts,
  providersUrl: () => string,
  usagePlanId: () => string | undefined,
): Readonly<Record<Permission, (fn: ServiceFunction) => void>> {
  return {
    'sign access tokens': (fn) => nameTokenIssuer(fn, stage).useKey('TOKEN_KEY_ID', keys.accessTokens, 'kms:Sign'),
    'verify custodian notifications': (fn) => allowAskingCustodians(fn, stage, keys, 'readNotification'),
    'sign custodian notifications': (fn) =>
      nameCustodians(fn, stage)
        .useKey('CUSTODIAN_KEY_ID', keys.simulatedCustodian, 'kms:Sign')
        .setting(
          'CUSTODIAN_NOTIFICATIONS_URL',
          `${providersUrl()}${receiveCustodianNotificationContract.path.replace('{custodian}', simulatedCustodian.name)}`,
        ),
    'verify rail notifications': (fn) => allowAskingRails(fn, stage, keys, 'readNotification'),
    'sign rail notifications': (fn) =>
      fn
        .useKey('RAIL_KEY_ID', keys.simulatedRail, 'kms:Sign')
        .setting(
          'RAIL_NOTIFICATIONS_URL',
          `${providersUrl()}${receiveRailNotificationContract.path.replace('{rail}', simulatedRail.name)}`,
        ),
    'find transfers': (fn) => allowAskingCustodians(fn, stage, keys, 'findTransfers', 'findTransfer'),
    'find what left': (fn) => allowAskingCustodians(fn, stage, keys, 'findOutgoing'),
    'list movements': (fn) => allowAskingCustodians(fn, stage, keys, 'listMovements'),
    'assign deposit addresses': (fn) => allowAskingCustodians(fn, stage, keys, 'assignDepositAddress'),
    'find payments': (fn) => allowAskingRails(fn, stage, keys, 'find'),
    'order payments': (fn) => allowAskingRails(fn, stage, keys, 'prepare', 'order'),
    'start verifications': (fn) => verification.allowStarting(fn),
    'queue notified transfers': (fn) => detection.allowQueueing(fn),
    'put events on the bus': (fn) => bus.allowPutting(fn, COMPLIANCE, PAYOUTS),
    'put events of compliance on the bus': (fn) => bus.allowPutting(fn, COMPLIANCE),
    'make keys of clients': (fn) => {
      const plan = usagePlanId();
      fn.setting('CLIENTS_USAGE_PLAN', plan ?? NO_USAGE_PLAN);
      if (plan !== undefined) fn.grant(['apigateway:POST'], keysIn(plan));
    },
    'encrypt webhook secrets': (fn) => fn.useKey('WEBHOOK_SECRETS_KEY_ID', keys.webhookSecrets, 'kms:Encrypt'),
    'decrypt webhook secrets': (fn) => fn.useKey('WEBHOOK_SECRETS_KEY_ID', keys.webhookSecrets, 'kms:Decrypt'),
    'queue deliveries': (fn) => deliveries.allowRetrying(fn),
    'queue replays': (fn) => deliveries.allowReplaying(fn),
  };
}

/** API Gateway's own resources have no account in their ARNs: its API for keys works on the account of the caller. */
function keysIn(usagePlanId: string): readonly string[] {
  const service = `arn:${Aws.PARTITION}:apigateway:${Aws.REGION}::`;
  return [`${service}/apikeys`, `${service}/usageplans/${usagePlanId}/keys`];
}
