import * as z from 'zod/mini';

/*
 * Properties of resources that decide behaviour. Where unlisted ones could as well, strict objects reject them.
 */

export const functionProperties = z.object({
  Description: z.string(),
  Timeout: z.int(),
  MemorySize: z.int(),
  LoggingConfig: z.object({ SystemLogLevel: z._default(z.enum(['DEBUG', 'INFO', 'WARN']), 'INFO') }),
  Environment: z._default(z.object({ Variables: z.record(z.string(), z.unknown()) }), { Variables: {} }),
  RecursiveLoop: z._default(z.enum(['Allow', 'Terminate']), 'Terminate'),
  Role: z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.literal('Arn')]) }),
});

const oneOrMore = z.union([z.string(), z.array(z.string())]);

const statement = z.object({ Effect: z.string(), Action: oneOrMore, Resource: z.unknown() });

export const role = z.object({
  Policies: z._default(z.array(z.object({ PolicyDocument: z.object({ Statement: z.array(statement) }) })), []),
});

export const alias = z.object({ FunctionName: z.object({ Ref: z.string() }) });

export const queue = z.object({
  VisibilityTimeout: z._default(z.int(), 30),
  DelaySeconds: z._default(z.int(), 0),
  MessageRetentionPeriod: z._default(z.int(), 345_600),
  RedrivePolicy: z.optional(z.object({ deadLetterTargetArn: z.unknown(), maxReceiveCount: z.int() })),
});

const tags = z.optional(z.unknown());

export const mapping = z.union([
  z.strictObject({
    BatchSize: z.int(),
    EventSourceArn: z.unknown(),
    FunctionName: z.unknown(),
    FunctionResponseTypes: z.tuple([z.literal('ReportBatchItemFailures')]),
    ScalingConfig: z.strictObject({ MaximumConcurrency: z.int() }),
    Tags: tags,
  }),
  z.strictObject({
    BatchSize: z.int(),
    BisectBatchOnFunctionError: z.boolean(),
    DestinationConfig: z.object({ OnFailure: z.object({ Destination: z.unknown() }) }),
    EventSourceArn: z.unknown(),
    FilterCriteria: z.object({ Filters: z.array(z.object({ Pattern: z.string() })) }),
    FunctionName: z.unknown(),
    // The default, -1, would mean the stream's own limit.
    MaximumRecordAgeInSeconds: z.int().check(z.minimum(60), z.maximum(24 * 3600)),
    MaximumRetryAttempts: z.int().check(z.minimum(0)),
    ParallelizationFactor: z.int(),
    StartingPosition: z.literal('TRIM_HORIZON'),
    Tags: tags,
  }),
]);

export const rule = z.union([
  z.object({
    EventPattern: z.unknown(),
    Targets: z.tuple([
      z.strictObject({
        Arn: z.unknown(),
        DeadLetterConfig: z.object({ Arn: z.unknown() }),
        Id: z.string(),
        InputTransformer: z.optional(z.strictObject({ InputTemplate: z.string() })),
      }),
    ]),
  }),
  z.object({
    ScheduleExpression: z.enum(['rate(1 minute)', 'rate(1 hour)']),
    Targets: z.tuple([z.object({ Arn: z.unknown() })]),
  }),
  // Events of keys, which alert people and no part of the service.
  z.object({
    EventPattern: z.object({ source: z.tuple([z.literal('aws.kms')]) }),
    Targets: z.tuple([z.object({ Arn: z.unknown(), RoleArn: z.unknown() })]),
  }),
]);

export const stateMachine = z.object({ DefinitionString: z.unknown() });
