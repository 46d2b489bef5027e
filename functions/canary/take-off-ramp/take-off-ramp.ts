import { createOffRamp, newTxHash, sendInSandbox, until } from '#sdk/sample-off-ramp.ts';
import type { Canary } from '#shared/canary/run-as-canary.ts';

/**
 * Runs an off-ramp from its creation to its payout. The hash is reported before the simulated custodian knows and
 * notifies the deposit, so that both ways are used and cannot race. Unlike in the sample of `npm start`, nothing wrong
 * is sent: a deposit that needs a person would call one.
 */
export const takeOffRamp: Canary = {
  name: 'take-off-ramp',
  metric: 'canary off-ramp',
  // Of these, up to 150 are the wait for the payout.
  mostSeconds: 240,
  work: async (call, { user }, signal) => {
    if (user === undefined) throw new Error('The secret of the canary has no user: run npm run canary again.');
    const { path, deposit } = await createOffRamp(call, user);
    const txHash = newTxHash();
    await call('POST /api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/hash', { path, body: { txHash } });
    await sendInSandbox(call, { ...deposit, from: user.from, token: user.token.token }, txHash);
    await until(
      'the payout',
      async () =>
        (await call('GET /api/v1/admin/operation/{user_id}/withdrawal/{operation_id}', { path })).body.operation,
      ({ status }) => status === 'COMPLETED',
      signal,
    );
  },
};
