import { CfnOutput } from 'aws-cdk-lib';
import { CfnGlobalTable, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
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
    // The pipeline deploys nothing older than this commit. This stack is the first of a release, and stays when the
    // next one fails.
    const commit: unknown = this.node.tryGetContext('commit');
    if (typeof commit === 'string' && commit !== '') new CfnOutput(this, 'Commit', { value: commit });
    if (stage.keepsData) this.#publishAll();
  }

  /**
   * Publishes every value that another stack may refer to. The CDK makes an output of such a value, and drops it with
   * the last reference: before the other stack is updated, whose rollback would refer to it again. So all outputs are
   * made here, under the ids that the CDK gives them.
   */
  #publishAll(): void {
    const published = this.node.findAll().flatMap((one) => {
      if (one instanceof TableV2) return [one.tableName, one.tableArn];
      // The CDK names a stream of every table; CloudFormation has the value only for a table with a stream, and fails
      // otherwise.
      if (one instanceof CfnGlobalTable) return this.resolve(one.streamSpecification) ? [one.attrStreamArn] : [];
      if (one instanceof Key) return [one.keyId, one.keyArn];
      return one instanceof EventBus ? [one.eventBusName, one.eventBusArn] : [];
    });
    const scope = new Construct(this, 'Publish');
    for (const value of published) new CfnOutput(scope, `Output${JSON.stringify(this.resolve(value))}`, { value });
  }
}
