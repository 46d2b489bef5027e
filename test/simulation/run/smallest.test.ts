import { expect, test } from 'vitest';
import type { Script } from '#test/simulation/world/script/script.ts';
import { groupsOf } from './parts.ts';
import { scriptOf } from './round.ts';
import { smallest } from './smallest.ts';

const submissionsOf = ({ offRamps }: Script) => offRamps.flatMap(({ submissions }) => submissions);

const script = someScript();

/** With much that can go. */
function someScript(): Script {
  const scripts = Array.from({ length: 1000 }, (_, round) => scriptOf({ seed: 1, round }));
  const found = scripts.find(
    (one) =>
      [one.payins, one.deeds, one.outages, one.deployments, submissionsOf(one)].every((parts) => parts.length > 0) &&
      Object.values(one.swarm.dynamo).every((probability) => probability > 0),
  );
  if (found === undefined) throw new Error('No round of the seed has everything.');
  return found;
}

async function shrunk(isEnough: (candidate: Script) => boolean, calls = Number.POSITIVE_INFINITY): Promise<Script> {
  let left = calls;
  return smallest({
    script,
    isEnough: async (candidate) => {
      left -= 1;
      return isEnough(candidate);
    },
    isOver: () => left <= 0,
  });
}

test('nothing is left of a script in which nothing is needed', async () => {
  expect(groupsOf(await shrunk(() => true)).flat()).toEqual([]);
});

test('what is needed stays, with what it is in', async () => {
  const [needed] = submissionsOf(script).slice(-1);
  // One hash may be submitted twice.
  const isNeeded = ({ txHash, after }: ReturnType<typeof submissionsOf>[number]) =>
    txHash === needed?.txHash && after === needed.after;
  const left = await shrunk((candidate) => submissionsOf(candidate).some(isNeeded));
  expect(left.offRamps).toHaveLength(1);
  expect(left.offRamps[0]).toMatchObject({ submissions: [needed], payments: [], reads: [], cancellations: [] });
  expect(left).toMatchObject({ clients: [], payins: [], deeds: [], outages: [], deployments: [] });
});

test('two parts that are needed together both stay', async () => {
  const [first] = script.offRamps;
  const last = script.offRamps.at(-1);
  const left = await shrunk(({ offRamps }) =>
    [first, last].every((needed) => offRamps.some(({ name }) => name === needed?.name)),
  );
  expect(left.offRamps.map(({ name }) => name)).toEqual([first?.name, last?.name]);
});

test('faults that are not needed are switched off', async () => {
  const left = await shrunk(({ swarm }) => swarm.dynamo.conflict > 0);
  expect(Object.entries(left.swarm.dynamo).filter(([, probability]) => probability > 0)).toEqual([
    ['conflict', script.swarm.dynamo.conflict],
  ]);
});

test('a script from which nothing may go is left as it is', async () => {
  const before = structuredClone(script);
  expect(await shrunk(() => false)).toEqual(before);
});

test('what is not needed ends no later than what is left', async () => {
  const left = await shrunk(({ offRamps }) => offRamps.length > 0);
  expect(left.quietFrom).toBeLessThan(script.quietFrom);
});

test('when the time is over, what was found by then is the result', async () => {
  const left = await shrunk(() => true, 2);
  const sizes = [left, script].map((one) => groupsOf(one).flat().length);
  expect(sizes[0]).toBeLessThan(sizes[1] ?? 0);
  expect(sizes[0]).toBeGreaterThan(0);
});
