import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { operatorRoutes } from '#infra/operators/operator-routes.ts';
import { textOf } from '#test/support/markdown.ts';

const page = textOf('docs/operations.md');

const policy = z.object({
  Statement: z.array(z.object({ Effect: z.literal('Allow'), Action: z.string(), Resource: z.string() })),
});

/** The policy that the page gives who only looks up. */
function documented(): z.infer<typeof policy> {
  const [, text = ''] = /### Who may do what\n[\s\S]*?```json\n([\s\S]*?)```/.exec(page) ?? [];
  return policy.parse(JSON.parse(text));
}

/** As IAM compares them: `*` is any text. */
function isLike(pattern: string, text: string): boolean {
  const literal = (part: string) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${pattern.split('*').map(literal).join('.*')}$`).test(text);
}

test('decisions 11, who: an identity with the policy of the page looks everything up, and changes nothing', () => {
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
