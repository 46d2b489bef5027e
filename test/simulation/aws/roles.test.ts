import { expect, inject, test } from 'vitest';
import { playMany } from '#test/simulation/run/play-many.ts';

test('a command that the role of its function does not allow ends the round', async () => {
  const topology = inject('topology');
  const functions = topology.functions.map((shape) =>
    shape.folder === 'off-ramps/create-withdrawal'
      ? { ...shape, allowed: shape.allowed.filter((action) => action !== 'dynamodb:PutItem hashes') }
      : shape,
  );
  const { failures } = await playMany({
    topology: { ...topology, functions },
    seed: 1,
    from: 0,
    offRamps: 1,
    mostFailures: 1,
    progress: () => {},
  });
  expect(failures.join()).toContain('create-withdrawal does not allow dynamodb:PutItem hashes.');
});
