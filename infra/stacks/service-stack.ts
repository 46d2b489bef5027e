import { CfnOutput } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { FunctionBundles } from '../bundle/bundle-functions.ts';
import { DepositDetection } from '../constructs/deposit-detection.ts';
import { DepositVerification } from '../constructs/deposit-verification.ts';
import { ServiceBus } from '../constructs/event-bus.ts';
import { EventPublication } from '../constructs/event-publication.ts';
import { callPeople } from '../constructs/failure-alarm.ts';
import { ParameterLists } from '../constructs/parameter-lists.ts';
import { PayinSettlement } from '../constructs/payin-settlement.ts';
import { createApis } from '../constructs/service-apis.ts';
import { SimulatedPayouts } from '../constructs/simulated-payouts.ts';
import { StatusChanges } from '../constructs/status-changes.ts';
import { WebhookDeliveries } from '../constructs/webhook-deliveries.ts';
import type { Stage } from '../stages.ts';
import type { DataStack } from './data-stack.ts';
import { StageStack } from './stage-stack.ts';

interface ServiceStackProps {
  readonly stage: Stage;
  readonly bundles: FunctionBundles;
  readonly data: DataStack;
}

/** The whole service of one stage: everything that can be built again. */
export class ServiceStack extends StageStack {
  constructor(scope: Construct, id: string, { stage, bundles, data }: ServiceStackProps) {
    super(scope, id, { stage, description: `Fiat pay-in and crypto off-ramp API, ${stage.name}: the service` });
    const { tables, keys } = data;
    const context = { stage, bundles, tables };
    const bus = new ServiceBus(this, 'Bus', { eventBus: data.eventBus, stage });
    const verification = new DepositVerification(this, 'Verification', context);
    const detection = new DepositDetection(this, 'Detection', context);
    new PayinSettlement(this, 'PayinSettlement', context);
    new StatusChanges(this, 'StatusChanges', context, bus);
    new EventPublication(this, 'Publication', context, bus);
    const deliveries = new WebhookDeliveries(this, 'Deliveries', context, { bus, secretsKey: keys.webhookSecrets });
    new ParameterLists(this, 'Parameters', context);
    if (stage.hasSandbox) new SimulatedPayouts(this, 'SimulatedPayouts', context, bus);
    createApis(this, context, { keys, bus, verification, detection, deliveries });

    new CfnOutput(this, 'StateMachineArn', { value: verification.stateMachine.stateMachineArn });
    if (stage.settings.alarmTopicArn !== undefined) callPeople(this, stage.settings.alarmTopicArn);
  }
}
