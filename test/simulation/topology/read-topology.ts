import type * as z from 'zod/mini';
import { alias, functionProperties, mapping, queue, role, rule, stateMachine } from './resources.ts';
import { routesIn } from './routes.ts';
import type { Topology } from './topology.ts';
import { createResolve, nameIn, template } from './values.ts';

/** @throws {z.core.$ZodError} if a template has anything that is not supported here */
export function readTopology(templates: Readonly<Record<'data' | 'service' | 'operators', unknown>>): Topology {
  const stacks = Object.values(templates).map((one) => template.parse(one));
  const resources = new Map(stacks.flatMap(({ Resources }) => Object.entries(Resources)));
  const outputs = new Map(
    stacks.flatMap(({ Outputs }) => Object.entries(Outputs).map(([name, { Value }]) => [name, Value] as const)),
  );
  const resolve = createResolve(resources, outputs);
  const name = (value: unknown) => nameIn(resolve(value));
  const tables = new Map(
    [...outputs].flatMap(([output, value]) => {
      const table = /^([a-zA-Z]+)Table$/.exec(output)?.[1];
      return table === undefined ? [] : [[name(value), table] as const];
    }),
  );
  const ours = (deployed: string) => tables.get(deployed) ?? deployed;
  const ofType = <Schema extends z.ZodMiniType>(type: string, schema: Schema) =>
    [...resources]
      .filter(([, { Type }]) => Type === type)
      .map(([id, { Properties }]) => [id, schema.parse(Properties)] as const);

  const roles = new Map(ofType('AWS::IAM::Role', role));
  const allowedBy = (id: string) =>
    (roles.get(id)?.Policies ?? [])
      .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
      .filter(({ Effect }) => Effect === 'Allow')
      .flatMap(({ Action, Resource }) =>
        [Resource].flat().flatMap((on) => {
          const [resource = '', ...index] = (resolve(on).split(':').at(-1) ?? '').split('/');
          return [Action].flat().map((action) => `${action} ${[ours(resource), ...index].join('/')}`);
        }),
      );
  const functions = ofType('AWS::Lambda::Function', functionProperties);
  const folders = new Map(functions.map(([id, { Description }]) => [id, folderIn(Description)]));
  const idOf = new Map([
    ...functions.map(([id]) => [id, id] as const),
    ...ofType('AWS::Lambda::Alias', alias).map(([id, { FunctionName }]) => [id, FunctionName.Ref] as const),
  ]);
  /** Finds the id of a function, or of its alias, anywhere in the value. */
  const functionIn = (value: unknown) => {
    const found = (JSON.stringify(value).match(/\w+/g) ?? []).flatMap((word) => idOf.get(word) ?? []);
    return found[0] ?? '';
  };
  const folderOf = (value: unknown) => folders.get(functionIn(value)) ?? '';
  const recursive = functions.flatMap(([id, { RecursiveLoop }]) => (RecursiveLoop === 'Allow' ? id : []));
  const mappings = ofType('AWS::Lambda::EventSourceMapping', mapping).map(([, properties]) => properties);
  const rules = ofType('AWS::Events::Rule', rule);
  const [machine] = ofType('AWS::StepFunctions::StateMachine', stateMachine);
  if (machine === undefined) throw new Error('There is no state machine.');

  return {
    functions: functions.map(([, { Description, Timeout, MemorySize, LoggingConfig, Environment, Role }]) => ({
      folder: folderIn(Description),
      timeoutSeconds: Timeout,
      memoryMegabytes: MemorySize,
      hasPlatformLines: LoggingConfig.SystemLogLevel !== 'WARN',
      environment: Object.fromEntries(
        Object.entries(Environment.Variables).map(([variable, value]) => [variable, ours(resolve(value))]),
      ),
      allowed: allowedBy(Role['Fn::GetAtt'][0]),
    })),
    queues: ofType('AWS::SQS::Queue', queue).map(([id, properties]) => ({
      name: id,
      visibilitySeconds: properties.VisibilityTimeout,
      delaySeconds: properties.DelaySeconds,
      retentionSeconds: properties.MessageRetentionPeriod,
      ...(properties.RedrivePolicy && {
        deadLetters: {
          queue: name(properties.RedrivePolicy.deadLetterTargetArn),
          maxReceives: properties.RedrivePolicy.maxReceiveCount,
        },
      }),
    })),
    queueConsumers: mappings.flatMap((properties) =>
      'ScalingConfig' in properties
        ? {
            queue: name(properties.EventSourceArn),
            folder: folderOf(properties.FunctionName),
            allowsRecursion: recursive.includes(functionIn(properties.FunctionName)),
            batchSize: properties.BatchSize,
            maxConcurrency: properties.ScalingConfig.MaximumConcurrency,
          }
        : [],
    ),
    streamConsumers: mappings.flatMap((properties) =>
      'StartingPosition' in properties
        ? {
            table: ours(name(properties.EventSourceArn)),
            folder: folderOf(properties.FunctionName),
            batchSize: properties.BatchSize,
            parallelization: properties.ParallelizationFactor,
            bisects: properties.BisectBatchOnFunctionError,
            retries: properties.MaximumRetryAttempts,
            maxAgeSeconds: properties.MaximumRecordAgeInSeconds,
            onFailure: name(properties.DestinationConfig.OnFailure.Destination),
            filters: properties.FilterCriteria.Filters.map(({ Pattern }) => JSON.parse(Pattern)),
          }
        : [],
    ),
    rules: rules.flatMap(([id, properties]) => {
      const [target] = properties.Targets;
      if (!('EventPattern' in properties) || !('DeadLetterConfig' in target)) return [];
      return {
        id,
        pattern: resolvedIn(properties.EventPattern, resolve),
        queue: name(target.Arn),
        deadLetters: name(target.DeadLetterConfig.Arn),
        ...(target.InputTransformer && { template: target.InputTransformer.InputTemplate }),
      };
    }),
    everyMinute: rules
      .flatMap(([, properties]) => ('ScheduleExpression' in properties ? folderOf(properties.Targets[0].Arn) : []))
      // The canary calls over HTTPS from outside, so it is left out, as is its hourly check.
      .filter((folder) => !folder.startsWith('canary/')),
    routes: routesIn(resources, folderOf),
    stateMachine: {
      arn: resolve({ Ref: machine[0] }),
      definition: JSON.parse(resolve(machine[1].DefinitionString), (key, value) =>
        key === 'FunctionName' ? folderOf(value) : value,
      ),
    },
  };
}

/** Returns the second word of a function's description. */
function folderIn(description: string): string {
  return /^\w+ (\S+)\./.exec(description)?.[1] ?? '';
}

/** Resolves the references in a pattern. */
function resolvedIn(value: unknown, resolve: (value: unknown) => string): unknown {
  if (Array.isArray(value)) return value.map((one) => resolvedIn(one, resolve));
  if (typeof value !== 'object' || value === null) return value;
  if ('Ref' in value || 'Fn::GetStackOutput' in value) return resolve(value);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, resolvedIn(one, resolve)]));
}
