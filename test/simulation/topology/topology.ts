/** What is deployed, as far as it decides what happens: read from the templates, so that it is not said twice. All of it is JSON. */
export interface Topology {
  readonly functions: readonly FunctionShape[];
  readonly queues: readonly QueueShape[];
  readonly queueConsumers: readonly QueueConsumer[];
  readonly streamConsumers: readonly StreamConsumer[];
  readonly rules: readonly RuleShape[];
  /** Functions that are called once a minute, by their folders. */
  readonly everyMinute: readonly string[];
  readonly routes: readonly RouteShape[];
  readonly stateMachine: { readonly arn: string; readonly definition: unknown };
}

export interface FunctionShape {
  /** Below `functions`, by which it is called everywhere here. */
  readonly folder: string;
  readonly timeoutSeconds: number;
  readonly memoryMegabytes: number;
  /** Lambda writes lines of its own about each call. */
  readonly hasPlatformLines: boolean;
  /** Tables by the names that `tableShapes` has for them. */
  readonly environment: Readonly<Record<string, string>>;
  /** What its role allows, each action with the name of a resource: `dynamodb:Query operations/index/due`. */
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
  /** Lambda does not stop the function when it goes on by messages to its own queue. */
  readonly allowsRecursion: boolean;
  readonly batchSize: number;
  readonly maxConcurrency: number;
}

export interface StreamConsumer {
  /** A name of `tableShapes`. */
  readonly table: string;
  readonly folder: string;
  readonly batchSize: number;
  readonly parallelization: number;
  readonly bisects: boolean;
  readonly retries: number;
  readonly maxAgeSeconds: number;
  readonly onFailure: string;
  /** Event patterns, of which a record has to fit one. */
  readonly filters: readonly unknown[];
}

/** What of the bus goes into which queue. */
export interface RuleShape {
  readonly id: string;
  /** An event pattern. */
  readonly pattern: unknown;
  readonly queue: string;
  readonly deadLetters: string;
  /** What the queue gets instead of the event: JSON with variables of EventBridge. */
  readonly template?: string;
}

export interface RouteShape {
  readonly api: string;
  readonly method: string;
  /** `/api/v1/admin/operation/{user_id}/withdrawal` */
  readonly path: string;
  readonly folder: string;
  readonly authorizer?: { readonly folder: string; readonly cacheSeconds: number };
  /** Calls have to be signed by an identity of the account. */
  readonly isSigned: boolean;
}
