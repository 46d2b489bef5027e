import { expect, test } from 'vitest';
import { retryUntilKeyKnown } from '#infra/cli/smoke-test.ts';
import { ApiProblem } from '#sdk/api-problem.ts';

const answered = (status: number) =>
  new ApiProblem('GET /api/infoClient', { status, headers: new Headers(), text: '{"message":"Forbidden"}' });

test('a new client reads again while its key is refused, and fails at once by any other answer', async () => {
  const failures: Error[] = [answered(403), answered(500)];
  let reads = 0;
  const read = async () => {
    reads += 1;
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
  };
  await expect(retryUntilKeyKnown(read)).rejects.toThrow('answered with 500');
  expect(reads).toBe(2);
  await retryUntilKeyKnown(read);
  expect(reads).toBe(3);
  failures.push(Object.assign(new Error('No route to the host.'), { status: 403 }));
  await expect(retryUntilKeyKnown(read)).rejects.toThrow('No route');
});
