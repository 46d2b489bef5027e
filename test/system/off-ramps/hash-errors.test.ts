import { randomUUID } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { operationKey } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { deployedParts } from '#test/support/deployed.ts';
import { expectProblem } from '#test/support/expect-problem.ts';
import { callAs, demoClient, hashPath, newHash, OffRampUser, problemOf, send } from '#test/support/http-client.ts';

const user = new OffRampUser();
const second = new OffRampUser('POLYGON', 'second');

describe('interface 7: submitting and reading a hash is 404 OFF_RAMP_NOT_FOUND', () => {
  const attempts: [string, () => Promise<[client: OffRampUser, path: string]>][] = [
    ['the operation does not exist', async () => [user, hashPath(user.userId, randomUUID())]],
    ['the id is no UUID', async () => [user, hashPath(user.userId, 'x')]],
    ['it is not of the user', async () => [user, hashPath(randomUUID(), (await user.create()).id)]],
    ['the user is another client’s', async () => [second, hashPath(user.userId, (await user.create()).id)]],
    ['the operation is another client’s', async () => [second, hashPath(second.userId, (await user.create()).id)]],
    [
      'it is not funded from an external wallet',
      async () => {
        const { id } = await user.create();
        const { dynamo, tables } = deployedParts();
        await dynamo.send(
          new UpdateCommand({
            TableName: tables.operations,
            Key: operationKey(id),
            UpdateExpression: 'REMOVE originExternalWalletId',
          }),
        );
        return [user, hashPath(user.userId, id)];
      },
    ],
  ];

  test.each(attempts)('%s', async (_, attempt) => {
    const [{ client }, path] = await attempt();
    const submitted = problemOf(await callAs(client, 'POST', path, { txHash: newHash() }));
    const read = problemOf(await callAs(client, 'GET', path));
    for (const problem of [submitted, read]) expect(problem).toMatchObject({ status: 404, code: 'OFF_RAMP_NOT_FOUND' });
  });
});

describe('interface 7: submitting a hash is 409', () => {
  test('OPERATION_NOT_AWAITING_DEPOSIT once the operation has moved on', async () => {
    const operation = await user.create();
    const txHash = newHash();
    await user.deposit(operation, txHash);
    await user.submit(operation.id, txHash);
    await user.readUntil(operation.id, ({ status }) => status === 'VERIFIED');
    for (const hash of [txHash, newHash()]) {
      expect(await expectProblem(user.submit(operation.id, hash))).toMatchObject({
        status: 409,
        code: 'OPERATION_NOT_AWAITING_DEPOSIT',
      });
    }
  });

  test('TX_HASH_ALREADY_DECLARED while another operation declares it, of another client too', async () => {
    const [mine, theirs] = [await user.create(), await second.create()];
    const txHash = newHash();
    expect((await user.submit(mine.id, txHash)).status).toBe(202);
    const problem = await expectProblem(second.submit(theirs.id, txHash.toUpperCase().replace('0X', '0x')));
    expect(problem).toMatchObject({ status: 409, code: 'TX_HASH_ALREADY_DECLARED' });
    expect(await second.read(theirs.id)).toMatchObject({ txHash: null, status: 'NOT_SUBMITTED' });
  });

  test('TX_HASH_ALREADY_DECLARED once it has funded another operation', async () => {
    const [funded, other] = [await user.create(), await user.create()];
    const txHash = newHash();
    await user.deposit(funded, txHash, { notify: true });
    await user.readUntil(funded.id, ({ status }) => status === 'VERIFIED');
    const problem = await expectProblem(user.submit(other.id, txHash));
    expect(problem).toMatchObject({ status: 409, code: 'TX_HASH_ALREADY_DECLARED' });
  });
});

describe('interface 7: submitting a hash is 422', () => {
  test('when txHash is missing', async () => {
    const operation = await user.create();
    for (const body of [undefined, {}, { txhash: newHash() }]) {
      const answer = await callAs(user.client, 'POST', hashPath(user.userId, operation.id), body);
      expect(problemOf(answer)).toMatchObject({ status: 422, errors: [{ path: 'body.txHash', code: 'REQUIRED' }] });
    }
  });

  test.each([null, 1, true, [newHash()], { hash: newHash() }])('when txHash is %j', async (txHash) => {
    const operation = await user.create();
    const problem = problemOf(await user.submitAsIs(operation.id, txHash));
    expect(problem).toMatchObject({ status: 422, errors: [{ path: 'body.txHash', code: 'INVALID_TYPE' }] });
  });

  test.each(['POLYGON', 'TRON', 'STELLAR', 'SOLANA', 'SUI'] as const)(
    'a hash of another family is not one of %s',
    async (network) => {
      const here = new OffRampUser(network);
      const operation = await here.create();
      const families = {
        POLYGON: ['POLYGON'],
        TRON: ['TRON', 'STELLAR'],
        STELLAR: ['TRON', 'STELLAR'],
        SOLANA: ['SOLANA'],
        SUI: ['SUI'],
      };
      const others = (['POLYGON', 'TRON', 'SOLANA', 'SUI'] as const).filter(
        (other) => !families[network].includes(other),
      );
      for (const other of others) {
        const problem = await expectProblem(here.submit(operation.id, newHash(other)));
        expect(problem).toMatchObject({ status: 422, errors: [{ path: 'body.txHash', code: 'INVALID_FORMAT' }] });
        expect(problem.errors?.[0]?.message).toContain(network);
      }
    },
  );

  test('a number is no hash, however many digits it has', async () => {
    const tron = new OffRampUser('TRON');
    const operation = await tron.create();
    const body = `{"txHash":${'1'.repeat(64)}}`;
    const answer = await callAs(tron.client, 'POST', hashPath(tron.userId, operation.id), body);
    expect(problemOf(answer)).toMatchObject({ status: 422, errors: [{ path: 'body.txHash', code: 'INVALID_TYPE' }] });
  });

  test('null bytes and look-alikes are no hash', async () => {
    const operation = await user.create();
    const hash = newHash();
    for (const txHash of [`${hash}\u0000`, hash.replace(/.$/, 'а'), '', 'x'.repeat(10_000)]) {
      expect(await expectProblem(user.submit(operation.id, txHash))).toMatchObject({ status: 422 });
    }
  });
});

describe('decisions 3: order of the checks of a submission', () => {
  test('the token comes before all else', async () => {
    const answer = await send('POST', hashPath('x', 'y'), { body: '{', headers: { 'Content-Type': 'text/plain' } });
    expect(answer.status).toBe(401);
  });

  test('the approval comes before the operation', async () => {
    const answer = await callAs(demoClient('not-approved'), 'POST', hashPath(randomUUID(), randomUUID()), '{');
    expect(problemOf(answer)).toMatchObject({ status: 403, code: 'CLIENT_NOT_APPROVED' });
  });

  test('the operation comes before the body', async () => {
    const answer = await callAs(user.client, 'POST', hashPath(user.userId, randomUUID()), '{');
    expect(answer.status).toBe(404);
  });

  test('the format comes before the status', async () => {
    const operation = await user.create();
    await user.deposit(operation, newHash(), { notify: true });
    await user.readUntil(operation.id, ({ status }) => status === 'VERIFIED');
    expect((await expectProblem(user.submit(operation.id, 'x'))).status).toBe(422);
    expect((await expectProblem(user.submit(operation.id, newHash()))).status).toBe(409);
  });

  test('the status comes before the hash', async () => {
    const operation = await user.create();
    const txHash = newHash();
    await user.deposit(operation, txHash, { notify: true });
    await user.readUntil(operation.id, ({ status }) => status === 'VERIFIED');
    const other = await user.create();
    const taken = newHash();
    await user.submit(other.id, taken);
    expect((await expectProblem(user.submit(operation.id, taken))).code).toBe('OPERATION_NOT_AWAITING_DEPOSIT');
  });

  test('a client that is not approved may read what is its own: 404 for what it does not have, not 403', async () => {
    const answer = await callAs(demoClient('not-approved'), 'GET', hashPath(randomUUID(), randomUUID()));
    expect(answer.status).toBe(404);
  });
});
