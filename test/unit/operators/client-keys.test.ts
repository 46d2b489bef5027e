import {
  APIGatewayClient,
  ConflictException,
  LimitExceededException,
  TooManyRequestsException,
} from '@aws-sdk/client-api-gateway';
import { expect, test } from 'vitest';
import { newClientExample } from '#infra/clients/new-client-example.ts';
import { createClientContract } from '#shared/clients/client-commands.ts';
import { createClientKeys, NO_USAGE_PLAN } from '#shared/clients/client-keys.ts';
import { Unavailable } from '#shared/platform/retry.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { CLIENT } from '#test/support/ids.ts';
import { newClient } from '#test/support/new-client.ts';
import { operatorsWorld } from '#test/support/operators-world.ts';

/** API Gateway, which gives these answers in order, one for each command. */
function answering(...answers: readonly (object | Error)[]) {
  const sent: unknown[] = [];
  const client = Object.assign(Object.create(APIGatewayClient.prototype), {
    send: async ({ input }: { readonly input: unknown }) => {
      const answer = answers[sent.push(input) - 1];
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
  return { client, sent };
}

const said = { $metadata: {}, message: 'said' };
const KEY = { name: CLIENT, value: CLIENT, enabled: true };
const IN_PLAN = { usagePlanId: 'plan-1', keyType: 'API_KEY', keyId: 'key-1' };

test('decisions 11, clients: the key of a client is its id, and is in the usage plan', async () => {
  const { client, sent } = answering({ id: 'key-1' }, {});
  await createClientKeys(client, 'plan-1')(CLIENT);
  expect(sent).toEqual([KEY, IN_PLAN]);
});

test('decisions 11, clients: where clients are not limited there is no key', async () => {
  const { client, sent } = answering();
  await createClientKeys(client, NO_USAGE_PLAN)(CLIENT);
  expect(sent).toEqual([]);
});

test('decisions 11, clients: a key that a call with a lost answer has added to the plan is accepted', async () => {
  const { client } = answering({ id: 'key-1' }, new ConflictException(said));
  await expect(createClientKeys(client, 'plan-1')(CLIENT)).resolves.toBeUndefined();
});

test.each([
  [[new LimitExceededException(said)]],
  [[new ConflictException(said)]],
  [[{ id: 'key-1' }, new TooManyRequestsException(said)]],
])('decisions 11, clients: a key that cannot be made is an error with its cause: %s', async (answers) => {
  const { client } = answering(...answers);
  const made = createClientKeys(client, 'plan-1')(CLIENT);
  await expect(made).rejects.toThrow(Unavailable);
  await expect(made).rejects.toMatchObject({ cause: answers.at(-1) });
});

test('decisions 11, clients: a new client has its key at once, and none is made without one', async () => {
  captureLogs();
  const world = operatorsWorld();
  const { body } = await world.change(createClientContract, newClientExample);
  expect(world.keys).toEqual([body.clientId]);
  world.refuseKeys();
  const refused = await world.change(createClientContract, newClient());
  expect([refused.status, refused.body.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  const made = world.table('clients').items();
  expect(made.filter((item) => 'secretDigests' in item)).toHaveLength(1);
});
