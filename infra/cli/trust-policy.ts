import * as z from 'zod/mini';

const texts = z.pipe(
  z.union([z.string(), z.array(z.string())]),
  z.transform((given) => [given].flat()),
);

const statement = z.looseObject({
  Effect: z.string(),
  Principal: z.optional(z.union([z.literal('*'), z.record(z.string(), texts)])),
  Action: z.optional(texts),
  Condition: z.optional(z.record(z.string(), z.record(z.string(), texts))),
});

const policy = z.object({
  Version: z.optional(z.string()),
  Statement: z.pipe(
    z.union([statement, z.array(statement)]),
    z.transform((given) => [given].flat()),
  ),
});

type Statement = z.infer<typeof statement>;

/** The IAM variable of the user's name, in lower case. */
const USER = `\${aws:username}`;

/**
 * Lists what lets a person choose the name under which the audit records them, in the trust policy of a role of
 * operators (decisions.md 9, Two persons): with two names, one person counts as two. Statements that deny are left out:
 * AWS ignores one with `${aws:username}` when a role calls, because a role has no user name.
 */
export function sessionNameFaults(roleArn: string, trust: unknown): readonly string[] {
  const read = policy.safeParse(trust);
  if (!read.success) return ['its trust policy cannot be read'];
  const { Version, Statement: statements } = read.data;
  return statements.flatMap((one, position) => {
    if (one.Effect === 'Deny') return [];
    const fault = faultOf(one, roleArn, Version === '2012-10-17');
    return fault === undefined ? [] : [`statement ${position + 1} ${fault}`];
  });
}

function faultOf(one: Statement, roleArn: string, knowsVariables: boolean): string | undefined {
  const { Principal, Action } = one;
  // Both mean everything except what they name.
  if ('NotPrincipal' in one) return 'has NotPrincipal, which lets everybody else in';
  if (Action === undefined) return 'has no Action, and so allows what it does not name';
  const assumes = ASSUMES.filter((action) => Action.some((pattern) => isLike(pattern, action)));
  if (assumes.length === 0) return undefined;
  if (Principal === undefined || Principal === '*' || Object.values(Principal).flat().includes('*'))
    return 'lets every account in';
  if (isIdentityCenter(roleArn, Principal, assumes)) return undefined;
  if (assumes.length > 1 || assumes[0] !== 'sts:assumerole')
    return 'takes the name of a session from another identity provider than IAM Identity Center';
  if (Object.keys(Principal).some((kind) => kind !== 'AWS'))
    return 'lets a service of AWS in, whose functions and machines have names that somebody chooses';
  if (!knowsVariables)
    return 'is of a policy whose Version is not 2012-10-17, in which nothing stands for the name of the user';
  return isNamedByUser(one) ? undefined : 'does not demand that sts:RoleSessionName equals aws:username';
}

/** Actions that assume a role, in lower case for the comparison. */
const ASSUMES = ['sts:assumerole', 'sts:assumerolewithsaml', 'sts:assumerolewithwebidentity'];

/** Compares actions as IAM does. */
function isLike(pattern: string, action: string): boolean {
  const literal = pattern.toLowerCase().replaceAll(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replaceAll('*', '.*').replaceAll('?', '.')}$`).test(action);
}

/** Only AWS makes roles at this path, and IAM Identity Center names the session after the person. */
function isIdentityCenter(
  roleArn: string,
  principal: Readonly<Record<string, readonly string[]>>,
  assumes: readonly string[],
): boolean {
  const providers = principal['Federated'] ?? [];
  return (
    /^arn:aws[a-z-]*:iam::\d{12}:role\/aws-reserved\/sso\.amazonaws\.com\/([a-z0-9-]+\/)?AWSReservedSSO_/.test(
      roleArn,
    ) &&
    Object.keys(principal).join() === 'Federated' &&
    assumes.join() === 'sts:assumerolewithsaml' &&
    providers.every((arn) => /:saml-provider\/AWSSSO_\w+_DO_NOT_DELETE$/.test(arn))
  );
}

/**
 * Requires exactly this value and no other: with `StringLike` and `${aws:username}-*` one person has many names.
 * `…IfExists` and `ForAllValues` are also true when the value is missing.
 */
function isNamedByUser({ Condition = {} }: Statement): boolean {
  return ['StringEquals', 'StringLike'].some((operator) =>
    Object.entries(Condition[operator] ?? {}).some(
      ([key, values]) =>
        key.toLowerCase() === 'sts:rolesessionname' &&
        values.length > 0 &&
        values.every((value) => value.toLowerCase() === USER),
    ),
  );
}
