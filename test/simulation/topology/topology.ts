/** The deployed resources as far as they matter for the simulation, read from the templates. JSON only. */
export interface Topology {
  readonly functions: readonly FunctionShape[];
  readonly queues: readonly QueueShape[];
  readonly queueConsumers: readonly QueueConsumer[];
  readonly streamConsumers: readonly StreamConsumer[];
  readonly rules: readonly RuleShape[];
  /** Folders of functions that are called once a minute. */
  readonly everyMinute: readonly string[];
  readonly routes: readonly RouteShape[];
  readonly stateMachine: { readonly arn: string; readonly definition: unknown };
}

export interface FunctionShape {
  /** Below `functions`; names the function throughout the simulation. */
  readonly folder: string;
  readonly timeoutSeconds: number;
  readonly memoryMegabytes: number;
  /** True if Lambda writes its own lines about each call. */
  readonly hasPlatformLines: boolean;
  /** Tables have their names from `tableShapes`. */
  readonly environment: Readonly<Record<string, string>>;
  /** The role's permissions, each an action with a resource: `dynamodb:Query operations/index/due`. */
  readonly allowed: readonly string[];
}

export interface QueueShape {
  readonly name: string;
  readonly visibilitySeconds: number;
  readonly delaySeconds: number;
  readonly retentionSeconds: number;
  readonly deadLetters?: { readonly queue: string; readonly maxReceives: number };
}

export interface QueueConsumer {
  readonly queue: string;
  readonly folder: string;
  /** True if Lambda does not stop the function when it sends messages to its own queue. */
  readonly allowsRecursion: boolean;
  readonly batchSize: number;
  readonly maxConcurrency: number;
}

export interface StreamConsumer {
  /** A name from `tableShapes`. */
  readonly table: string;
  readonly folder: string;
  readonly batchSize: number;
  readonly parallelization: number;
  readonly bisects: boolean;
  readonly retries: number;
  readonly maxAgeSeconds: number;
  readonly onFailure: string;
  /** Event patterns; a record must match one of them. */
  readonly filters: readonly unknown[];
}

/** A rule that puts events of the bus into a queue. */
export interface RuleShape {
  readonly id: string;
  /** An event pattern. */
  readonly pattern: unknown;
  readonly queue: string;
  readonly deadLetters: string;
  /** The message to send instead of the event: JSON with variables of EventBridge. */
  readonly template?: string;
}

export interface RouteShape {
  readonly api: string;
  readonly method: string;
  /** `/api/v1/admin/operation/{user_id}/withdrawal` */
  readonly path: string;
  readonly folder: string;
  readonly authorizer?: { readonly folder: string; readonly cacheSeconds: number };
  /** True if calls must be signed by an identity of the account. */
  readonly isSigned: boolean;
}
