import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { duties, printedPolicies } from '#infra/operators/duties.ts';
import { operatorRoutes } from '#infra/operators/operator-routes.ts';
import { operatorsStackName } from '#infra/stacks/stack-names.ts';
import { textOf } from '#test/support/markdown.ts';

const page = textOf('docs/operations.md');

const policy = z.object({
  Statement: z.array(z.object({ Effect: z.literal('Allow'), Action: z.string(), Resource: z.string() })),
});

/** The policy that the page gives a person who only looks up. */
function documented(): z.infer<typeof policy> {
  const [, text = ''] = /### Who may do what\n[\s\S]*?```json\n([\s\S]*?)```/.exec(page) ?? [];
  return policy.parse(JSON.parse(text));
}

/** Compares as IAM does: `*` is any text. */
function isLike(pattern: string, text: string): boolean {
  const literal = (part: string) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${pattern.split('*').map(literal).join('.*')}$`).test(text);
}

test('decisions 11, who: an identity with the policy of the page can look everything up, and change nothing', () => {
  const { Statement } = documented();
  const mayCall = (method: string, path: string) => {
    const route = `arn:aws:execute-api:<region>:<account>:<api-id>/<stage>/${method}${path}`;
    return Statement.some(({ Action, Resource }) => isLike(Action, 'execute-api:Invoke') && isLike(Resource, route));
  };
  const allowed = operatorRoutes.filter(({ contract }) => mayCall(contract.method, contract.path));
  const lookups = operatorRoutes.filter(({ contract }) => contract.method === 'GET');
  expect(lookups.length).toBeGreaterThan(0);
  expect(lookups.length).toBeLessThan(operatorRoutes.length);
  expect(allowed).toEqual(lookups);
});

test('it may read the stack that has the address of that API, as may the other roles', () => {
  const stacks = documented().Statement.flatMap(({ Action, Resource }) =>
    Action === 'cloudformation:DescribeStacks' ? Resource : [],
  );
  expect(stacks).toEqual([expect.stringContaining(operatorsStackName('payin-offramp-<stage>'))]);
  expect(printedPolicies()).toContain(`"Resource": "${stacks.join()}"`);
});

const commands = operatorRoutes.filter(({ contract }) => contract.method === 'POST').map(({ contract }) => contract);

test('decisions 9, two persons: each command is in one of the documented policies, so a new one has to be assigned to a duty', () => {
  const named = Object.values(duties).flat();
  expect(named.toSorted()).toEqual(commands.map(({ name }) => name).toSorted());
  expect(textOf('docs/permissions.md')).toContain(`<!-- begin roles -->\n\n${printedPolicies()}\n\n<!-- end roles -->`);
});

test('decisions 9, two persons: no role may both propose a change and confirm it', () => {
  const names = commands.filter(({ body }) => 'proposalId' in argumentsOf(body)).map(({ name }) => name);
  expect(names.length).toBeGreaterThan(1);
  // A proposal is withdrawn by the person who made it.
  expect(names.filter((name) => !duties.approves.includes(name))).toEqual(['withdraw-proposal']);
  const proposing = commands.filter(({ success }) => 'proposal' in propertiesOf(success.body)).map(({ name }) => name);
  expect(proposing.length).toBeGreaterThan(1);
  expect(proposing.filter((name) => !duties.requests.includes(name))).toEqual([]);
});

const object = z.object({ properties: z.optional(z.record(z.string(), z.unknown())) });

function propertiesOf(schema: z.ZodMiniType): Readonly<Record<string, unknown>> {
  return object.parse(z.toJSONSchema(schema, { io: 'input' })).properties ?? {};
}

function argumentsOf(body: z.ZodMiniType): Readonly<Record<string, unknown>> {
  return object.safeParse(propertiesOf(body)['arguments']).data?.properties ?? {};
}
