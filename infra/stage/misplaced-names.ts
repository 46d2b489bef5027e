import type { Settings } from './read-settings.ts';

/** What is wrong with names in the settings of a stage, each of which is in its format, in one sentence. */
export function misplacedName(settings: Settings): string | undefined {
  return namedElsewhere(settings) ?? namedTwice(settings);
}

/** Resources outside the account and region of the stack, where they must be. */
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
  const other = Object.entries(domains ?? {}).find(
    ([, one]) => !one.certificateArn.includes(`:acm:${region}:${account}:`),
  );
  if (other !== undefined)
    return `domains.${other[0]}.certificateArn must be of account ${account} in ${region}, as the API is.`;
  const far = Object.entries(alarmTopics ?? {}).find(([, arn]) => !arn.includes(`:sns:${region}:`));
  if (far !== undefined) return `alarmTopics.${far[0]} must be in ${region}, as the alarms are.`;
  if (monthlyBudget !== undefined && alarmTopics?.notice.includes(`:${account}:`) === false)
    return `alarmTopics.notice must be of account ${account}: AWS Budgets tells no topic of another one of monthlyBudget.`;
  if (breakGlassRole !== undefined && !breakGlassRole.includes(`::${account}:`))
    return `breakGlassRole must be of account ${account}, as the tables and keys are.`;
  if (operatorRoles.some((arn) => !arn.includes(`::${account}:`)))
    return `operatorRoles must be of account ${account}: nobody else may be allowed to call.`;
  return undefined;
}

/** What has to be another one each time, in one sentence. */
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
    return 'breakGlassRole is one of operatorRoles or publishers: no policy of the audit and of the token key denies it anything, so it must be nobody’s from day to day.';
  const secret = repeated(Object.values(secrets ?? {}));
  return secret === undefined
    ? undefined
    : `secrets names ${secret} twice: give each variable a secret of its own, or a function that only reads has the key of one that sends.`;
}

function repeated(names: readonly string[]): string | undefined {
  return names.find((name, at) => names.indexOf(name) !== at);
}
