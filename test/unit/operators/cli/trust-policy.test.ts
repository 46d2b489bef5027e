import { describe, expect, test } from 'vitest';
import { checkOperatorRoles } from '#infra/cli/check-operator-roles.ts';
import { sessionNameFaults } from '#infra/cli/trust-policy.ts';
import { blocksIn, sectionOf, textOf } from '#test/support/markdown.ts';

const ACCOUNT = '111122223333';
const ROLE = `arn:aws:iam::${ACCOUNT}:role/finance`;
const OF_IDENTITY_CENTER = `arn:aws:iam::${ACCOUNT}:role/aws-reserved/sso.amazonaws.com/us-east-1/AWSReservedSSO_Finance_0123456789abcdef`;
const SAML = `arn:aws:iam::${ACCOUNT}:saml-provider`;

const USER = `\${aws:username}`;
const root = { AWS: `arn:aws:iam::${ACCOUNT}:root` };
const named = { StringEquals: { 'sts:RoleSessionName': USER } };
const assumed = { Effect: 'Allow', Principal: root, Action: 'sts:AssumeRole', Condition: named };
const signedIn = {
  Effect: 'Allow',
  Principal: { Federated: `${SAML}/AWSSSO_0123456789abcdef_DO_NOT_DELETE` },
  Action: ['sts:AssumeRoleWithSAML', 'sts:TagSession'],
  Condition: { StringEquals: { 'SAML:aud': 'https://signin.aws.amazon.com/saml' } },
};
const trust = (...Statement: readonly object[]) => ({ Version: '2012-10-17', Statement });
const under = (Condition: object) => trust({ ...assumed, Condition });

describe('decisions 9, two persons: a role of operators is refused where somebody chooses the name of a session', () => {
  test.each<[string, string, unknown]>([
    ['the name must be that of the user', ROLE, trust(assumed)],
    ['one statement, not in a list', ROLE, { Version: '2012-10-17', Statement: assumed }],
    ['beside other conditions', ROLE, under({ ...named, Bool: { 'aws:MultiFactorAuthPresent': 'true' } })],
    ['in another case, in a list', ROLE, under({ StringEquals: { 'STS:rolesessionname': [`\${AWS:UserName}`] } })],
    ['StringLike without a wildcard', ROLE, under({ StringLike: { 'sts:RoleSessionName': USER } })],
    ['users of another account', ROLE, trust({ ...assumed, Principal: { AWS: 'arn:aws:iam::222233334444:root' } })],
    ['what assumes nothing', ROLE, trust(assumed, { ...assumed, Action: 'sts:TagSession', Condition: undefined })],
    ['what is denied', ROLE, trust(assumed, { Effect: 'Deny', Principal: '*', Action: 'sts:*' })],
    ['IAM Identity Center', OF_IDENTITY_CENTER, trust(signedIn)],
  ])('not refused: %s', (_, role, document) => {
    expect(sessionNameFaults(role, document)).toEqual([]);
  });

  const demands = 'statement 1 does not demand that sts:RoleSessionName equals aws:username';
  const elsewhere = 'statement 1 takes the name of a session from another identity provider than IAM Identity Center';
  const everybody = 'statement 1 lets every account in';
  test.each<[string, string, unknown, string]>([
    ['no condition', ROLE, under({}), demands],
    ['another condition', ROLE, under({ Bool: { 'aws:MultiFactorAuthPresent': 'true' } }), demands],
    ['a name that begins with the user', ROLE, under({ StringLike: { 'sts:RoleSessionName': `${USER}-*` } }), demands],
    ['any name', ROLE, under({ StringLike: { 'sts:RoleSessionName': '*' } }), demands],
    ['another value', ROLE, under({ StringEquals: { 'sts:RoleSessionName': [USER, 'bea'] } }), demands],
    ['no value', ROLE, under({ StringEquals: { 'sts:RoleSessionName': [] } }), demands],
    [
      'a default for who has no user',
      ROLE,
      under({ StringEquals: { 'sts:RoleSessionName': `\${aws:username, 'x'}` } }),
      demands,
    ],
    ['a condition without a value', ROLE, under({ StringEqualsIfExists: { 'sts:RoleSessionName': USER } }), demands],
    ['a set that may be empty', ROLE, under({ 'ForAllValues:StringEquals': { 'sts:RoleSessionName': USER } }), demands],
    ['every other name', ROLE, under({ StringNotEquals: { 'sts:RoleSessionName': USER } }), demands],
    ['the source identity', ROLE, under({ StringEquals: { 'sts:SourceIdentity': USER } }), demands],
    [
      'a denial, which counts for users only',
      ROLE,
      trust(
        { ...assumed, Condition: {} },
        { Effect: 'Deny', Principal: '*', Action: '*', Condition: { StringNotEquals: named.StringEquals } },
      ),
      demands,
    ],
    ['a second statement', ROLE, trust(assumed, { ...assumed, Condition: {} }), demands.replace('1', '2')],
    ['a wildcard in the action', ROLE, trust({ ...assumed, Action: 'STS:Assume*', Principal: root }), elsewhere],
    ['everybody', ROLE, trust({ ...assumed, Principal: '*' }), everybody],
    ['everybody of AWS', ROLE, trust({ ...assumed, Principal: { AWS: ['*'] } }), everybody],
    [
      'all but some',
      ROLE,
      trust({ ...assumed, Principal: undefined, NotPrincipal: root }),
      'statement 1 has NotPrincipal, which lets everybody else in',
    ],
    [
      'all actions but some',
      ROLE,
      trust({ ...assumed, Action: undefined, NotAction: 'iam:*' }),
      'statement 1 has no Action, and so allows what it does not name',
    ],
    [
      'a function',
      ROLE,
      trust({ ...assumed, Principal: { Service: 'lambda.amazonaws.com' } }),
      'statement 1 lets a service of AWS in, whose functions and machines have names that somebody chooses',
    ],
    [
      'another provider of SAML',
      OF_IDENTITY_CENTER,
      trust({ ...signedIn, Principal: { Federated: `${SAML}/okta` } }),
      elsewhere,
    ],
    ['a provider with the name of IAM Identity Center at a role that is not its own', ROLE, trust(signedIn), elsewhere],
    [
      'a role that only looks like its own',
      `arn:aws:iam::${ACCOUNT}:role/AWSReservedSSO_Finance_0`,
      trust(signedIn),
      elsewhere,
    ],
    [
      'a token of the web',
      ROLE,
      trust({
        ...assumed,
        Principal: { Federated: 'token.actions.githubusercontent.com' },
        Action: 'sts:AssumeRoleWithWebIdentity',
      }),
      elsewhere,
    ],
    [
      'a version without variables',
      ROLE,
      { Statement: assumed },
      'statement 1 is of a policy whose Version is not 2012-10-17, in which nothing stands for the name of the user',
    ],
    ['nothing to read', ROLE, undefined, 'its trust policy cannot be read'],
  ])('refused: %s', (_, role, document, fault) => {
    expect(sessionNameFaults(role, document)).toEqual([fault]);
  });

  test('the policy that the documentation prints is taken', () => {
    const printed = blocksIn(sectionOf(textOf('docs/operations.md'), 'Who may do what'), 'json');
    const trusts = printed.filter((block) => block.includes('sts:AssumeRole'));
    expect(trusts.map((block) => sessionNameFaults(ROLE, JSON.parse(block)))).toEqual([[]]);
  });

  test('every role that may call is read, as IAM answers it, that for emergencies too; one that cannot be read is refused', async () => {
    const breakGlassRole = `arn:aws:iam::${ACCOUNT}:role/emergencies/break-glass`;
    const found = new Map([
      ['finance', encodeURIComponent(JSON.stringify(trust(assumed)))],
      ['break-glass', encodeURIComponent(JSON.stringify(under({})))],
    ]);
    const findTrust = async (name: string) => found.get(name) ?? Promise.reject(new Error(`There is no ${name}.`));
    const operatorRoles = [ROLE, `arn:aws:iam::${ACCOUNT}:role/gone`];
    expect(await checkOperatorRoles({ operatorRoles, breakGlassRole }, findTrust)).toEqual([
      `arn:aws:iam::${ACCOUNT}:role/gone: its trust policy cannot be read: There is no gone.`,
      `${breakGlassRole}: ${demands}`,
    ]);
    expect(await checkOperatorRoles({ breakGlassRole }, findTrust)).toEqual([]);
  });
});
