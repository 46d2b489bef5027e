import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Effect, type IGrantable, type IPrincipal, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import {
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { FunctionBundles } from '../bundle/bundle-functions.ts';
import type { Stage } from '../stages.ts';
import { FailureAlarm } from './failure-alarm.ts';
import { FunctionRole } from './function-role.ts';
import { indexesOf, type TableName, type Tables } from './tables.ts';

/** The data actions of DynamoDB that functions use; a transaction needs those of its legs. `Query:byUser` is of an index. */
export type TableAction =
  | 'GetItem'
  | 'Query'
  | `Query:${string}`
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'ConditionCheckItem';

/** What a function may do with each table, and with nothing else of it. */
export type TableUse = Partial<Readonly<Record<TableName, readonly TableAction[]>>>;

export interface FunctionSurroundings {
  readonly stage: Stage;
  readonly bundles: FunctionBundles;
  readonly tables: Tables;
}

export interface ServiceFunctionProps {
  /** Folder below `functions`. */
  readonly folder: string;
  readonly tables?: TableUse;
  readonly memoryMegabytes: number;
  readonly timeoutSeconds: number;
  /** What clients lose while this function fails: the text of its alarm. */
  readonly clientsLose: string;
  /** It goes on by messages to its own queue, which AWS would take for a runaway loop after 16 of them. */
  readonly goesOnByItself?: true;
  /** Its faults are answers with 5xx, on which its routes have their alarms. */
  readonly answersRoutes?: true;
  /**
   * The function throws to refuse what its callers do wrong, as an authorizer has to; only lines with this code are
   * faults of its own.
   */
  readonly faultCode?: string;
}

/** A Lambda as all of ours are: Node 24 on ARM, its own role and log group, traced, with alarms that say what is lost. */
export class ServiceFunction extends Construct implements IGrantable {
  readonly lambda: LambdaFunction;
  readonly logGroup: LogGroup;
  readonly clientsLose: string;
  readonly grantPrincipal: IPrincipal;

  constructor(scope: Construct, { stage, bundles, tables }: FunctionSurroundings, props: ServiceFunctionProps) {
    super(scope, nameOf(props.folder));
    this.clientsLose = props.clientsLose;
    const bundle = bundles.get(props.folder);
    if (bundle === undefined) throw new Error(`There is no functions/${props.folder}/handler.ts.`);
    this.logGroup = new LogGroup(this, 'Logs', {
      retention: stage.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = new FunctionRole(this, 'Role');
    this.logGroup.grantWrite(role);
    this.lambda = new LambdaFunction(this, 'Function', {
      description: `${stage.name} ${props.folder}`,
      code: Code.fromAsset(bundle.directory),
      handler: 'handler.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: props.memoryMegabytes,
      timeout: Duration.seconds(props.timeoutSeconds),
      tracing: Tracing.ACTIVE,
      ...(props.goesOnByItself && { recursiveLoop: RecursiveLoop.ALLOW }),
      loggingFormat: LoggingFormat.JSON,
      logGroup: this.logGroup,
      role,
    });
    this.grantPrincipal = this.lambda.grantPrincipal;
    for (const { name, table } of tables) {
      const actions = props.tables?.[name];
      if (actions !== undefined) this.#useTable(name, table, actions);
    }
    if (!props.answersRoutes) this.#alarmOnErrors(props, stage);
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'X-Ray takes traces for no resource in particular.',
    });
  }

  setting(name: string, value: string): this {
    this.lambda.addEnvironment(name, value);
    return this;
  }

  /** Actions on a key by its id, which the function is told. */
  useKey(
    setting: string,
    key: IKey,
    ...actions: readonly ('kms:Sign' | 'kms:GetPublicKey' | 'kms:Encrypt' | 'kms:Decrypt')[]
  ): this {
    key.grant(this, ...actions);
    return this.setting(setting, key.keyId);
  }

  grant(actions: readonly string[], resources: readonly string[]): this {
    this.lambda.addToRolePolicy(
      new PolicyStatement({ effect: Effect.ALLOW, actions: [...actions], resources: [...resources] }),
    );
    return this;
  }

  #useTable(name: TableName, table: TableV2, actions: readonly TableAction[]): void {
    this.setting(`${name.replace(/[A-Z]/g, '_$&').toUpperCase()}_TABLE`, table.tableName);
    const onTable = actions.filter((action) => !action.includes(':'));
    if (onTable.length > 0) {
      this.grant(
        onTable.map((action) => `dynamodb:${action}`),
        [table.tableArn],
      );
    }
    for (const index of indexesOf(name)) {
      if (actions.includes(`Query:${index}`)) this.grant(['dynamodb:Query'], [`${table.tableArn}/index/${index}`]);
    }
  }

  /** Throws and time-outs count as errors of the function; what it answered with 5xx or reported is an ERROR line. */
  #alarmOnErrors({ folder, clientsLose, faultCode }: ServiceFunctionProps, stage: Stage): void {
    const errorLines = new MetricFilter(this, 'ErrorLines', {
      logGroup: this.logGroup,
      filterPattern:
        faultCode === undefined
          ? FilterPattern.stringValue('$.level', '=', 'ERROR')
          : FilterPattern.stringValue('$.message.code', '=', faultCode),
      metricNamespace: `payin-offramp/${stage.name}`,
      metricName: `${folder} error lines`,
    });
    const period = Duration.minutes(1);
    const metrics = {
      ...(faultCode === undefined && { Thrown: this.lambda.metricErrors({ period }) }),
      Reported: errorLines.metric({ period, statistic: 'Sum' }),
    };
    for (const [id, metric] of Object.entries(metrics)) {
      new FailureAlarm(this, id, {
        description: `${clientsLose} Look at the log of ${folder} for lines of level ERROR.`,
        metric,
      });
    }
  }
}

/** `api/submit-offramp-hash` is the construct `submit-offramp-hash`. */
function nameOf(folder: string): string {
  return folder.split('/').at(-1) ?? folder;
}
