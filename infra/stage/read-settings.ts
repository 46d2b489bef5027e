import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as z from 'zod/mini';
import { COMPLIANCE, PAYOUTS } from '#shared/events/incoming-events.ts';
import { providerFault } from './provider-settings.ts';
import { type Settings, settings } from './settings.ts';

/** Settings that production requires (interface 5.5), each with the sentence for its absence. */
const requiredInProduction = {
  environment: 'production needs its AWS account and region: environment.account and environment.region.',
  domains: 'production needs its custom domains: domains.admin, domains.api and domains.providers.',
  mutualTls:
    'production requires mutual TLS: name the trust store as mutualTls.trustStore, s3://bucket/file.pem, and the version of that object as mutualTls.version.',
  ipAllowlist: "production requires an IP allowlist: list the clients' CIDR blocks as ipAllowlist.",
  canary:
    'production needs a place from which its canary calls: name subnets whose NAT gateway has an address of ipAllowlist, and a security group, as canary.subnets and canary.securityGroup.',
  docsUrl:
    'production needs the address of its guides, which nobody can read without a client certificate where they are served: name that of staging, or of any host of what npm run docs writes, as docsUrl.',
  alarmTopics:
    'production needs topics for its alarms: name two SNS topics as alarmTopics.call and alarmTopics.notice.',
  monthlyBudget:
    'production needs to say what a month may cost, in US dollars, so that somebody is notified when it costs more: monthlyBudget. npm run cost estimates it.',
  breakGlassRole:
    'production needs a role for emergencies, which the policies of the audit and of the token key never deny: name its ARN as breakGlassRole.',
  operatorRoles:
    'production needs the roles of its operators, and lets no other identity of the account call their API: list their ARNs as operatorRoles.',
  keepRecordsYears:
    'production needs to say how many years the law asks to keep records of persons: keepRecordsYears, in Colombia 10.',
  publishers:
    'production needs the roles of compliance and of payouts: name them as publishers.payments.compliance and publishers.payments.payouts.',
} as const;

/**
 * Regions where CloudFormation has `AWS::Budgets::Budget`, as the schemas of cfn-lint 1.58 say. Elsewhere it refuses a
 * template with one, after the stacks before it were created.
 */
const regionsWithBudgets: readonly string[] = [
  ...['us-east-1', 'us-east-2', 'us-west-1', 'us-west-2', 'ca-central-1', 'sa-east-1'],
  ...['eu-central-1', 'eu-west-1', 'eu-west-2', 'eu-west-3', 'ap-northeast-1', 'ap-northeast-2'],
  ...['ap-south-1', 'ap-southeast-1', 'ap-southeast-2'],
];

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A company's own file, or the example where it has none. Tests use the examples, whatever other files there are. */
export function settingsFile(
  stage: 'staging' | 'prod',
  isThere = (file: string) => existsSync(join(root, file)),
): string {
  const own = `infra/settings/${stage}.json`;
  return process.env['EXAMPLE_SETTINGS'] === undefined && isThere(own) ? own : `infra/settings/examples/${stage}.json`;
}

/**
 * The settings of a deployed stage, or those of another file.
 *
 * @throws with one sentence about the fault
 */
export function readSettings(stage: 'staging' | 'prod', other?: string): Settings {
  const file = settingsFile(stage);
  return checkSettings(other ?? file, readFileSync(other ?? join(root, file), 'utf8'), stage);
}

export function checkSettings(file: string, text: string, stage: 'staging' | 'prod'): Settings {
  const parsed = settings.safeParse(JSON.parse(text));
  if (!parsed.success) throw new Error(`${file}: ${complaint(parsed.error.issues[0])}`);
  const { publishers = {}, environment } = parsed.data;
  const named = new Set(Object.keys(parsed.data));
  if (!(COMPLIANCE in publishers && PAYOUTS in publishers)) named.delete('publishers');
  if (environment !== undefined && !regionsWithBudgets.includes(environment.region)) named.add('monthlyBudget');
  const missing = Object.entries(requiredInProduction).find(([name]) => !named.has(name));
  if (stage === 'prod' && missing !== undefined) throw new Error(`${file}: ${missing[1]}`);
  const fault = providerFault(parsed.data, stage === 'prod');
  if (fault !== undefined) throw new Error(`${file}: ${fault}`);
  const misplaced = misplacedName(parsed.data);
  if (misplaced !== undefined) throw new Error(`${file}: ${misplaced}`);
  return parsed.data;
}

function complaint(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === 'unrecognized_keys')
    return `${[...issue.path, issue.keys[0]].join('.')} is not a known setting. Check its spelling.`;
  return `${issue?.path.join('.')} is missing or not in its format, which infra/stage/settings.ts describes.`;
}

/** Says what is wrong with names that are each well formed, in one sentence. */
function misplacedName(settings: Settings): string | undefined {
  return namedElsewhere(settings) ?? namedTwice(settings);
}

/** Says which resource is not in the account and region of the stack, although it must be. */
function namedElsewhere({
  environment,
  domains,
  alarmTopics,
  monthlyBudget,
  breakGlassRole,
  operatorRoles = [],
}: Settings): string | undefined {
  if (environment === undefined) return undefined;
  const { account, region } = environment;
  if (monthlyBudget !== undefined && !regionsWithBudgets.includes(region))
    return `monthlyBudget cannot be kept in ${region}, where CloudFormation has no budgets and refuses the stack of the operators: leave it out, and create the budget by hand.`;
  const other = Object.entries(domains ?? {}).find(
    ([, one]) => !one.certificateArn.includes(`:acm:${region}:${account}:`),
  );
  if (other !== undefined)
    return `domains.${other[0]}.certificateArn must be of account ${account} in ${region}, as the API is.`;
  const far = Object.entries(alarmTopics ?? {}).find(([, arn]) => !arn.includes(`:sns:${region}:`));
  if (far !== undefined) return `alarmTopics.${far[0]} must be in ${region}, as the alarms are.`;
  if (monthlyBudget !== undefined && alarmTopics?.notice.includes(`:${account}:`) === false)
    return `alarmTopics.notice must be of account ${account}: AWS Budgets cannot notify a topic of another account.`;
  if (breakGlassRole !== undefined && !breakGlassRole.includes(`::${account}:`))
    return `breakGlassRole must be of account ${account}, as the tables and keys are.`;
  if (operatorRoles.some((arn) => !arn.includes(`::${account}:`)))
    return `operatorRoles must be of account ${account}: nobody else may be allowed to call.`;
  return undefined;
}

/** Says which name is given for two things that must differ, in one sentence. */
function namedTwice({
  domains,
  breakGlassRole = '',
  operatorRoles = [],
  publishers,
  secrets,
}: Settings): string | undefined {
  if (repeated(Object.values(domains ?? {}).map(({ name }) => name)) !== undefined)
    return 'domains.admin, domains.api and domains.providers must have three names: API Gateway takes each once.';
  if ([...operatorRoles, ...Object.values(publishers ?? {}).flat()].includes(breakGlassRole))
    return 'breakGlassRole is one of operatorRoles or publishers: no policy of the audit and of the token key denies it anything, so nobody may use it in daily work.';
  const secret = repeated(Object.values(secrets ?? {}));
  return secret === undefined
    ? undefined
    : `secrets names ${secret} twice: give each variable a secret of its own, or a function that only reads has the key of one that sends.`;
}

function repeated(names: readonly string[]): string | undefined {
  return names.find((name, at) => names.indexOf(name) !== at);
}

/** Names and addresses that are reserved for documentation. */
const EXAMPLE = /\bexample\b|111122223333|192\.0\.2\.|198\.51\.100\.|203\.0\.113\.|2001:db8:/;

/** Lists the settings that still have the repository's values, as `domains.api.name: api.example.com`. */
export function remainingExamples(value: unknown, path: readonly string[] = []): readonly string[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, within]) => remainingExamples(within, [...path, name]));
  return EXAMPLE.test(String(value)) ? [`${path.join('.')}: ${value}`] : [];
}
