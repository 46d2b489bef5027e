import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, CfnResource, type Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { inject } from 'vitest';
import * as z from 'zod/mini';
import { withoutSourceLocations } from '#infra/local/synthesise.ts';
import { createStacks } from '#infra/stacks/create-stacks.ts';
import { type Stage, stageNamed } from '#infra/stage/stages.ts';

export const stageNames = ['local', 'staging', 'prod'] as const;

export type StageName = (typeof stageNames)[number];

const directory = inject('infraDirectory');

/** The bundles of all functions, made once for all files. */
export const bundles = new Map(inject('bundles'));

/** The feature flags with which the CDK's command line runs the app. */
const flags = z
  .object({ context: z.record(z.string(), z.unknown()) })
  .parse(JSON.parse(readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8'))).context;

/** The app of a stage as `infra/app.ts` makes it, before its rules are checked and its template written. */
export function serviceApp(stageName: StageName, local: { windowSeconds?: number } = {}, checked = false) {
  return appOf(stageNamed(stageName, local), checked);
}

export function appOf(stage: Stage, checked = false, given: Readonly<Record<string, unknown>> = {}) {
  const { app, outdir } = emptyApp(given, checked);
  return { app, outdir, ...createStacks(app, stage, bundles) };
}

/** An app that writes templates alone: each would copy all bundles, 12 MB. */
export function emptyApp(given: Readonly<Record<string, unknown>> = {}, checked = false) {
  const outdir = mkdtempSync(join(directory, 'app-'));
  const app = new App({
    ...{ outdir, context: { ...flags, ...withoutSourceLocations, 'aws:cdk:disable-asset-staging': true, ...given } },
    ...{ analyticsReporting: false, builtinCloudFormationValidation: checked },
  });
  return { app, outdir };
}

const resource = z.object({
  Type: z.string(),
  Properties: z._default(z.record(z.string(), z.unknown()), {}),
  DeletionPolicy: z.optional(z.string()),
  UpdateReplacePolicy: z.optional(z.string()),
  DependsOn: z._default(z.union([z.string(), z.array(z.string())]), []),
});

const template = z.object({
  Resources: z.record(z.string(), resource),
  Outputs: z._default(z.record(z.string(), z.object({ Value: z.unknown() })), {}),
});

interface Resource<Properties> {
  readonly stack: 'data' | 'service' | 'operators';
  /** Logical id: with another one, it is another resource. */
  readonly id: string;
  readonly type: string;
  /** The path below the stack, without the `Resource` at the end: `Tables/operations`. */
  readonly path: string;
  readonly properties: Properties;
  readonly deletionPolicy: string | undefined;
  readonly updateReplacePolicy: string | undefined;
  /** Paths of the resources that have to exist before. */
  readonly dependsOn: readonly string[];
}

export interface Synthesised {
  readonly stageName: StageName;
  readonly outdir: string;
  readonly resources: readonly Resource<Readonly<Record<string, unknown>>>[];
  readonly outputs: Readonly<Record<string, unknown>>;
  /** Every resource of a type, its properties parsed. */
  ofType<Schema extends z.ZodMiniType>(type: string, schema: Schema): readonly Resource<z.infer<Schema>>[];
  /** A value of the template as text, with paths in place of references: `<Tables/operations.Arn>/index/due`. */
  text(value: unknown): string;
}

const synthesised = new Map<StageName, Synthesised>();

/** The templates of a stage, made at the first call. */
export function synthesise(stageName: StageName): Synthesised {
  const known = synthesised.get(stageName) ?? read(stageName, serviceApp(stageName));
  synthesised.set(stageName, known);
  return known;
}

/** The templates of a stage with other settings than the repository's, and with what `-c` gives. */
export function synthesiseStage(stage: Stage, given?: Readonly<Record<string, unknown>>): Synthesised {
  return read(stage.name, appOf(stage, false, given));
}

function read(stageName: StageName, { data, service, operators, outdir }: ReturnType<typeof serviceApp>): Synthesised {
  const stacks = (
    [
      ['data', data],
      ['service', service],
      ['operators', operators],
    ] as const
  ).map(([name, stack]) => ({
    stack: name,
    paths: pathsOf(stack),
    ...template.parse(Template.fromStack(stack).toJSON()),
  }));
  const paths = new Map(stacks.flatMap((one) => [...one.paths]));
  const outputs = Object.fromEntries(
    stacks.flatMap(({ Outputs }) => Object.entries(Outputs).map(([id, { Value }]) => [id, Value])),
  );
  const resources = stacks.flatMap(({ stack, Resources }) =>
    Object.entries(Resources).map(([id, found]) => ({
      stack,
      id,
      type: found.Type,
      path: paths.get(id) ?? id,
      properties: found.Properties,
      deletionPolicy: found.DeletionPolicy,
      updateReplacePolicy: found.UpdateReplacePolicy,
      dependsOn: [found.DependsOn].flat().map((one) => paths.get(one) ?? one),
    })),
  );
  return {
    stageName,
    outdir,
    resources,
    outputs,
    ofType: (type, schema) =>
      resources
        .filter((candidate) => candidate.type === type)
        .map((found) => ({ ...found, properties: schema.parse(found.properties) })),
    text: (value) => textOf(value, { paths, outputs }),
  };
}

/** The paths of a stack's resources below the stack, by their logical ids. */
function pathsOf(stack: Stack): ReadonlyMap<string, string> {
  const constructs = stack.node.findAll().filter((construct) => construct instanceof CfnResource);
  return new Map(
    constructs.map((construct) => [
      stack.getLogicalId(construct),
      construct.node.path.replace(`${stack.node.path}/`, '').replace(/\/Resource$/, ''),
    ]),
  );
}

interface Names {
  readonly paths: ReadonlyMap<string, string>;
  readonly outputs: Readonly<Record<string, unknown>>;
}

const reference = z.strictObject({ Ref: z.string() });
const attribute = z.strictObject({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) });
const joining = z.strictObject({ 'Fn::Join': z.tuple([z.string(), z.array(z.unknown())]) });
/** How the CDK takes the name of a function out of the ARN of its alias. */
const nameInAlias = z.strictObject({
  'Fn::Select': z.tuple([z.literal(6), z.strictObject({ 'Fn::Split': z.tuple([z.literal(':'), reference]) })]),
});
const ofOtherStack = z.strictObject({ 'Fn::GetStackOutput': z.looseObject({ OutputName: z.string() }) });

/** An ARN in the account and region of prod's example settings, which become the references that the stack uses. */
const OWN_ARN = /arn:aws:([a-z-]+):(us-east-1)?:111122223333:/g;

function textOf(value: unknown, names: Names): string {
  return plainTextOf(value, names).replace(
    OWN_ARN,
    (_, service, region) => `arn:<AWS::Partition>:${service}:${region ? '<AWS::Region>' : ''}:<AWS::AccountId>:`,
  );
}

function plainTextOf(value: unknown, names: Names): string {
  if (typeof value === 'string') return value;
  const { paths, outputs } = names;
  const referred = reference.safeParse(value);
  if (referred.success) return `<${paths.get(referred.data.Ref) ?? referred.data.Ref}>`;
  const read = attribute.safeParse(value);
  if (read.success) {
    const [id, name] = read.data['Fn::GetAtt'];
    return `<${paths.get(id) ?? id}.${name}>`;
  }
  const joined = joining.safeParse(value);
  if (joined.success) {
    const [separator, parts] = joined.data['Fn::Join'];
    return parts.map((part) => plainTextOf(part, names)).join(separator);
  }
  const aliased = nameInAlias.safeParse(value);
  if (aliased.success) return plainTextOf(aliased.data['Fn::Select'][1]['Fn::Split'][1], names);
  const other = ofOtherStack.safeParse(value);
  if (other.success) return plainTextOf(outputs[other.data['Fn::GetStackOutput'].OutputName], names);
  return JSON.stringify(value) ?? '';
}

const functionProperties = z.object({
  Architectures: z.array(z.string()),
  Code: z.object({ S3Key: z.string() }),
  Description: z.string(),
  Environment: z.optional(z.object({ Variables: z.record(z.string(), z.unknown()) })),
  Handler: z.string(),
  MemorySize: z.int(),
  LoggingConfig: z.object({ LogFormat: z.string(), LogGroup: z.unknown(), SystemLogLevel: z.string() }),
  Role: z.unknown(),
  Runtime: z.string(),
  Timeout: z.int(),
  TracingConfig: z.object({ Mode: z.string() }),
});

/** Every function of a stage, by the id of its construct: `check-deposit`. */
export function functionsOf(service: Synthesised) {
  return service.ofType('AWS::Lambda::Function', functionProperties).map(({ path, properties }) => ({
    name: path.split('/').at(-2) ?? path,
    path,
    /** The folder below `functions`: the second word of the function's description. */
    folder: /^\w+ (\S+)\./.exec(properties.Description)?.[1] ?? '',
    properties,
    environment: properties.Environment?.Variables ?? {},
  }));
}

/** The ARN by which callers know a function: that of its live version, where the stage has versions of it. */
export function calledArnOf({ resources }: Synthesised, path: string): string {
  const live = path.replace(/Function$/, 'Live');
  return resources.some((one) => one.path === live) ? `<${live}>` : `<${path}.Arn>`;
}

/** The path of the function that is called by this name. */
export function functionCalledBy(name: string): string {
  return name.replace(/^<(.+?)>(:live)?$/, '$1').replace(/\/Live$/, '/Function');
}

const statements = z.object({
  Statement: z.array(
    z.object({
      Effect: z.string(),
      Action: z.union([z.string(), z.array(z.string())]),
      Resource: z.unknown(),
    }),
  ),
});
const policyProperties = z.object({ PolicyDocument: statements, Roles: z.array(z.unknown()) });
const roleProperties = z.object({ Policies: z._default(z.array(z.object({ PolicyDocument: statements })), []) });

export interface Grant {
  /** Path of the role. */
  readonly role: string;
  readonly action: string;
  readonly resource: string;
}

/** Everything that roles are allowed, one line per action and resource. */
export function grantsOf(service: Synthesised): readonly Grant[] {
  const inRoles = service
    .ofType('AWS::IAM::Role', roleProperties)
    .flatMap(({ path, properties }) =>
      properties.Policies.map(({ PolicyDocument }) => ({ roles: [path], statements: PolicyDocument.Statement })),
    );
  const apart = service.ofType('AWS::IAM::Policy', policyProperties).map(({ properties }) => ({
    roles: properties.Roles.map((role) => service.text(role).slice(1, -1)),
    statements: properties.PolicyDocument.Statement,
  }));
  return [...inRoles, ...apart].flatMap(({ roles, statements: allowed }) =>
    allowed.flatMap(({ Effect, Action, Resource }) => {
      if (Effect !== 'Allow') return [];
      const resources = (Array.isArray(Resource) ? Resource : [Resource]).map((on) => service.text(on));
      const actions = [Action].flat();
      return roles.flatMap((role) =>
        actions.flatMap((action) => resources.map((resource) => ({ role, action, resource }))),
      );
    }),
  );
}
