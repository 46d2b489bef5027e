import { CfnOutput } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { FunctionBundles } from '#infra/bundle/bundle-functions.ts';
import { ClientStatusChanges } from '#infra/clients/client-status-changes.ts';
import { ServiceBus } from '#infra/events/event-bus.ts';
import { EventPublication } from '#infra/events/event-publication.ts';
import { AddressPools } from '#infra/off-ramps/address-pools.ts';
import type { AskingCustodian } from '#infra/off-ramps/custodian-alarms.ts';
import { DepositDetection } from '#infra/off-ramps/deposit-detection.ts';
import { DepositVerification } from '#infra/off-ramps/deposit-verification.ts';
import { ExpiredOffRamps } from '#infra/off-ramps/expired-off-ramps.ts';
import { SimulatedPayouts } from '#infra/off-ramps/simulated-payouts.ts';
import { StatusChanges } from '#infra/off-ramps/status-changes.ts';
import { ParameterLists } from '#infra/parameters/parameter-lists.ts';
import { PayinSettlement } from '#infra/pay-ins/pay-in-settlement.ts';
import { type AlarmTopics, notifyOfAlarms } from '#infra/platform/alarm-topics.ts';
import type { Stage } from '#infra/stage/stages.ts';
import { WebhookDeliveries } from '#infra/webhooks/webhook-deliveries.ts';
import type { DataStack } from './data-stack.ts';
import { type ApiContext, createApis } from './service-apis.ts';
import { StageStack } from './stage-stack.ts';

interface ServiceStackProps {
  readonly stage: Stage;
  readonly bundles: FunctionBundles;
  readonly data: DataStack;
}

/** The whole service of one stage except for its operators: everything that can be built again. */
export class ServiceStack extends StageStack {
  /** What the operators' API uses as well. */
  readonly apis: ApiContext;
  readonly topics: AlarmTopics | undefined;
  /** The functions whose custodian the operators' stack watches. */
  readonly asking: AskingCustodian;

  constructor(scope: Construct, id: string, { stage, bundles, data }: ServiceStackProps) {
    super(scope, id, { stage, description: `Fiat pay-in and crypto off-ramp API, ${stage.name}: the service` });
    const { tables, keys } = data;
    const context = { stage, bundles, tables };
    const bus = new ServiceBus(this, 'Bus', { eventBus: data.eventBus, stage });
    const verification = new DepositVerification(this, 'Verification', context, keys);
    const detection = new DepositDetection(this, 'Detection', context, keys);
    const { matchDeposit, reconcileCustodian } = detection;
    this.asking = { checkDeposit: verification.checkDeposit, matchDeposit, reconcileCustodian };
    new AddressPools(this, 'AddressPools', context, keys);
    new ExpiredOffRamps(this, 'Expired', context, keys);
    new PayinSettlement(this, 'PayinSettlement', context, keys);
    new StatusChanges(this, 'StatusChanges', context, bus);
    new ClientStatusChanges(this, 'ClientStatusChanges', context, bus);
    new EventPublication(this, 'Publication', context, bus);
    const deliveries = new WebhookDeliveries(this, 'Deliveries', context, { bus, secretsKey: keys.webhookSecrets });
    new ParameterLists(this, 'Parameters', context);
    if (stage.hasSandbox) new SimulatedPayouts(this, 'SimulatedPayouts', context, bus);
    this.apis = createApis(this, context, { keys, bus, verification, detection, deliveries });
    new CfnOutput(this, 'StateMachineArn', { value: verification.stateMachine.stateMachineArn });
    this.topics = notifyOfAlarms(this, stage);
  }
}
