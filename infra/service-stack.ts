import { CfnOutput, CliCredentialsStackSynthesizer, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { FunctionBundles } from './bundle/bundle-functions.ts';
import { DepositDetection } from './constructs/deposit-detection.ts';
import { DepositVerification } from './constructs/deposit-verification.ts';
import { ServiceBus } from './constructs/event-bus.ts';
import { EventPublication } from './constructs/event-publication.ts';
import { callPeople } from './constructs/failure-alarm.ts';
import { createKeys } from './constructs/keys.ts';
import { ParameterLists } from './constructs/parameter-lists.ts';
import { PayinSettlement } from './constructs/payin-settlement.ts';
import { createApis } from './constructs/service-apis.ts';
import type { FunctionSurroundings } from './constructs/service-function.ts';
import { SimulatedPayouts } from './constructs/simulated-payouts.ts';
import { StatusChanges } from './constructs/status-changes.ts';
import { createTables } from './constructs/tables.ts';
import { tagEverything } from './constructs/tags.ts';
import { WebhookDeliveries } from './constructs/webhook-deliveries.ts';
import type { Stage } from './stages.ts';

interface ServiceStackProps {
  readonly stage: Stage;
  readonly bundles: FunctionBundles;
}

/** The whole service of one stage. */
export class ServiceStack extends Stack {
  constructor(scope: Construct, id: string, { stage, bundles }: ServiceStackProps) {
    // @ts-expect-error the CDK's synthesizers do not fit its own interface under exactOptionalPropertyTypes
    super(scope, id, {
      description: `Fiat pay-in and crypto off-ramp API, ${stage.name}`,
      ...(stage.settings.environment && { env: stage.settings.environment }),
      // The local AWS knows no roles of a bootstrapped account that the CLI could take on.
      ...(stage.name === 'local' && { synthesizer: new CliCredentialsStackSynthesizer() }),
    });
    const tables = createTables(this, stage);
    const keys = createKeys(this, stage);
    const bus = new ServiceBus(this, 'EventBus', stage);
    const surroundings: FunctionSurroundings = { stage, bundles, tables };
    const verification = new DepositVerification(this, 'Verification', surroundings);
    const detection = new DepositDetection(this, 'Detection', surroundings);
    new PayinSettlement(this, 'PayinSettlement', surroundings);
    new StatusChanges(this, 'StatusChanges', surroundings, bus);
    new EventPublication(this, 'Publication', surroundings, bus);
    const deliveries = new WebhookDeliveries(this, 'Deliveries', surroundings, {
      bus,
      secretsKey: keys.webhookSecrets,
    });
    new ParameterLists(this, 'Parameters', surroundings);
    if (stage.hasSandbox) new SimulatedPayouts(this, 'SimulatedPayouts', surroundings, bus);
    createApis(this, surroundings, { keys, bus, verification, detection, deliveries });

    new CfnOutput(this, 'StateMachineArn', { value: verification.stateMachine.stateMachineArn });
    new CfnOutput(this, 'EventBusName', { value: bus.eventBusName });
    for (const { name, table } of tables) new CfnOutput(this, `${name}Table`, { value: table.tableName });
    tagEverything(this, stage);
    if (stage.settings.alarmTopicArn !== undefined) callPeople(this, stage.settings.alarmTopicArn);
  }
}
