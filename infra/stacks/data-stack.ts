import { CfnOutput } from 'aws-cdk-lib';
import type { EventBus } from 'aws-cdk-lib/aws-events';
import type { Construct } from 'constructs';
import { createEventBus } from '#infra/events/event-bus.ts';
import { auditPolicy } from '#infra/operators/audit-policy.ts';
import { createKeys, type Keys } from '#infra/platform/keys.ts';
import { createTables, type Tables } from '#infra/platform/tables.ts';
import type { Stage } from '#infra/stage/stages.ts';
import { StageStack } from './stage-stack.ts';

/** Resources that cannot be built again: tables, keys, and the bus whose name other services know. */
export class DataStack extends StageStack {
  readonly tables: Tables;
  readonly keys: Keys;
  readonly eventBus: EventBus;

  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id, {
      stage,
      description: `Fiat pay-in and crypto off-ramp API, ${stage.name}: its data`,
      terminationProtection: stage.keepsData,
    });
    this.tables = createTables(this, stage, { audit: auditPolicy(this, stage) });
    this.keys = createKeys(this, stage);
    this.eventBus = createEventBus(this, stage);

    new CfnOutput(this, 'EventBusName', { value: this.eventBus.eventBusName });
    for (const { name, table } of this.tables) new CfnOutput(this, `${name}Table`, { value: table.tableName });
  }
}
