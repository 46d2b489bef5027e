import { Duration, Token, Validations } from 'aws-cdk-lib';
import { Effect, type IGrantable, type IPrincipal, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import {
  Architecture,
  Code,
  type IFunction,
  Function as LambdaFunction,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { FunctionBundles } from '#infra/bundle/bundle-functions.ts';
import type { ConcurrencyGroup, StrictName } from '#infra/stage/settings.ts';
import type { Stage } from '#infra/stage/stages.ts';
import type { TableAction, TableName, TableUse } from '#infra/stage/table-shapes.ts';
import { FailureAlarm, type Runbook } from './failure-alarm.ts';
import { FunctionRole } from './function-role.ts';
import { LiveAlias } from './live-alias.ts';
import { roleNameOf } from './named-roles.ts';
import { ERROR_LINES, linesWithCode, ServiceLog } from './service-log.ts';
import { strictConditionsFor, strictStatement } from './strict-conditions.ts';
import { indexesOf, type Tables } from './tables.ts';

/** Conditions by operator, then by key. */
type PolicyConditions = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface FunctionContext {
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
  /** What clients lose while this function fails, for its description and the text of its alarm. */
  readonly impact: string;
  /** Its faults leave money waiting, so each one calls a person. */
  readonly movesMoney?: true;
  /** The section of docs/operations.md for its faults, where it has one of its own. */
  readonly runbook?: Runbook;
  /** A policy in the stack of the data names its role, so the role has a fixed name. */
  readonly isNamedByPolicy?: true;
  /** The function continues by messages to its own queue, which AWS would take for a runaway loop after 16 of them. */
  readonly allowRecursion?: true;
  /** The group whose reserved concurrency, in the stage's settings, the function gets. */
  readonly concurrencyGroup?: ConcurrencyGroup;
  /** Callers reach its live version, where the stage has versions. */
  readonly hasVersions?: true;
  /** A log that it shares with others, with its alarm; a log and alarms of its own when not given. */
  readonly log?: ServiceLog;
  /** Lines with this code are counted, by the values of these fields. */
  readonly counted?: {
    readonly code: string;
    readonly metricName: string;
    readonly by: Readonly<Record<string, string>>;
  };
  /** It throws to refuse its callers' mistakes, as an authorizer has to; its caller tells its faults from refusals. */
  readonly refusesByThrowing?: true;
}

/** Bytes of all names and values of an environment together: AWS refuses a function with more, in the middle of a deployment. */
const LARGEST_ENVIRONMENT = 4096;

/** About the length of what a deployment puts in place of a reference: a table's name, or a queue's address. */
const REFERENCE = 80;

/** A Lambda of the service: Node 24 on ARM, its own role, traced as the API chooses, with alarms on its failures. */
export class ServiceFunction extends Construct implements IGrantable {
  readonly lambda: LambdaFunction;
  /** The function or the alias that callers invoke. */
  readonly live: IFunction;
  readonly impact: string;
  /** Concurrent executions that are reserved for it, and its maximum. */
  readonly reservedConcurrency: number | undefined;
  /** Below `functions`. */
  readonly folder: string;
  readonly log: ServiceLog;
  readonly grantPrincipal: IPrincipal;
  readonly #tables: Tables;
  readonly #strict: readonly StrictName[];
  readonly #environment = new Map<string, string>();

  constructor(scope: Construct, { stage, bundles, tables }: FunctionContext, props: ServiceFunctionProps) {
    super(scope, nameOf(props.folder));
    this.impact = props.impact;
    this.folder = props.folder;
    const bundle = bundles.get(props.folder);
    if (bundle === undefined) throw new Error(`There is no functions/${props.folder}/handler.ts.`);
    const log = props.log ?? new ServiceLog(this, 'Logs', stage);
    this.log = log;
    const role = new FunctionRole(this, 'Role', props.isNamedByPolicy && roleNameOf(this, props.folder));
    const reserved = props.concurrencyGroup && stage.settings.reservedConcurrency?.[props.concurrencyGroup];
    this.reservedConcurrency = reserved;
    const hasVersions = props.hasVersions === true && stage.gradualReleases !== undefined;
    log.grantWrite(role);
    this.lambda = new LambdaFunction(this, 'Function', {
      description: `${stage.name} ${props.folder}. While it fails: ${props.impact}`,
      code: Code.fromAsset(bundle.directory),
      handler: 'handler.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: props.memoryMegabytes,
      timeout: Duration.seconds(props.timeoutSeconds),
      tracing: Tracing.PASS_THROUGH,
      ...(reserved !== undefined && { reservedConcurrentExecutions: reserved }),
      ...(hasVersions && { currentVersionOptions: LiveAlias.versions }),
      ...(props.allowRecursion && { recursiveLoop: RecursiveLoop.ALLOW }),
      ...(stage.name === 'local' && { environment: { AWS_TIME_LIMIT_FACTOR: '7' } }),
      loggingFormat: LoggingFormat.JSON,
      // The function's own line has the duration of a call; the platform's line for each call would double the log.
      // Failures are warnings.
      systemLogLevelV2: SystemLogLevel.WARN,
      logGroup: log,
      role,
    });
    // @ts-expect-error the CDK's aliases do not fit its own interface under exactOptionalPropertyTypes
    this.live = hasVersions ? new LiveAlias(this, stage, { sharesLog: props.log !== undefined }) : this.lambda;
    this.grantPrincipal = this.lambda.grantPrincipal;
    this.#tables = tables;
    this.#strict = stage.settings.strict ?? [];
    this.useTables(props.tables ?? {});
    if (props.log === undefined && !props.refusesByThrowing) this.#alarmOnErrors(props, log);
    if (props.counted !== undefined) {
      const { code, ...counted } = props.counted;
      log.count('Counted', { lines: linesWithCode(code), ...counted });
    }
    this.node.addValidation({ validate: () => this.#environmentFault() });
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'X-Ray has no resource for traces.',
    });
  }

  /** Allows actions on tables, whose names the function gets as settings. */
  useTables(use: TableUse): this {
    for (const { name, table } of this.#tables) {
      const actions = use[name];
      if (actions !== undefined) this.#useTable(name, table, actions);
    }
    return this;
  }

  setting(name: string, value: string): this {
    this.lambda.addEnvironment(name, value);
    this.#environment.set(name, value);
    return this;
  }

  /** Allows actions on a key, whose id the function gets as a setting. */
  useKey(
    setting: string,
    key: IKey,
    ...actions: readonly ('kms:Sign' | 'kms:GetPublicKey' | 'kms:Encrypt' | 'kms:Decrypt')[]
  ): this {
    key.grant(this, ...actions);
    return this.setting(setting, key.keyId);
  }

  grant(actions: readonly string[], resources: readonly string[], conditions: PolicyConditions = {}): this {
    this.lambda.addToRolePolicy(
      new PolicyStatement({ effect: Effect.ALLOW, actions: [...actions], resources: [...resources], conditions }),
    );
    return this;
  }

  /** Refuses an environment that is too large: names and ids of networks and tokens are in several settings. */
  #environmentFault(): string[] {
    const sizeOf = (value: string) => (Token.isUnresolved(value) ? REFERENCE : Buffer.byteLength(value));
    const size = [...this.#environment].reduce((sum, [name, value]) => sum + name.length + sizeOf(value), 0);
    if (size <= LARGEST_ENVIRONMENT) return [];
    return [
      `The settings of ${this.folder} have about ${size} bytes, and AWS takes ${LARGEST_ENVIRONMENT}: let the stage serve fewer networks or tokens.`,
    ];
  }

  #useTable(name: TableName, table: Tables[number]['table'], actions: readonly TableAction[]): void {
    this.setting(`${name.replace(/[A-Z]/g, '_$&').toUpperCase()}_TABLE`, table.tableName);
    const strict = strictConditionsFor(this.#strict, this.folder, name, actions);
    const byKeys = strict.flatMap(({ keysLike, action }) => (keysLike === undefined ? [] : [action]));
    const onTable = actions.filter((action) => !action.includes(':') && !byKeys.some((one) => one === action));
    if (onTable.length > 0) {
      this.grant(
        onTable.map((action) => `dynamodb:${action}`),
        [table.tableArn],
      );
    }
    for (const one of strict) this.lambda.addToRolePolicy(strictStatement(one, table.tableArn));
    for (const index of indexesOf(name)) {
      if (actions.includes(`Query:${index}`)) this.grant(['dynamodb:Query'], [`${table.tableArn}/index/${index}`]);
    }
  }

  /**
   * Alarms on throws and time-outs, which are errors of the function, and on failures that it reports as ERROR lines.
   */
  #alarmOnErrors(props: ServiceFunctionProps, log: ServiceLog): void {
    const { folder, impact, movesMoney = false, runbook = 'a-function-fails' } = props;
    const description = `${impact} Look at the log of ${folder} for lines of level ERROR.`;
    const alarm = { description, runbook, callsPeople: movesMoney };
    // A wrong deposit is enough for such a line, and anybody can send one.
    const reported = { ...alarm, undoesReleases: 'NONE' } as const;
    log.alarm('Reported', { lines: ERROR_LINES, metricName: `${folder} error lines` }, reported);
    new FailureAlarm(this, 'Thrown', {
      ...alarm,
      metric: this.lambda.metricErrors({ period: Duration.minutes(1) }),
    });
  }
}

/** `off-ramps/submit-offramp-hash` becomes the construct `submit-offramp-hash`. */
function nameOf(folder: string): string {
  return folder.split('/').at(-1) ?? folder;
}
