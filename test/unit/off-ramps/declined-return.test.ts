import { expect, test } from 'vitest';
import { confirmDepositContract } from '#shared/off-ramps/contract/operator-commands.ts';
import {
  abortReturnContract,
  approveReturnContract,
  declineReturnContract,
  requestReturnContract,
  startReturnContract,
} from '#shared/off-ramps/contract/return-commands.ts';
import { transfer } from '#test/support/off-ramp.ts';
import { BEA, CARL, CREDITED, type ReturnWorld, returnWorld } from '#test/support/return-world.ts';

const decline = (w: ReturnWorld) => w.operate(declineReturnContract);

async function abort(w: ReturnWorld) {
  const { body } = await w.operate(abortReturnContract);
  await w.operate(confirmDepositContract, { proposalId: body.proposal.proposalId }, BEA);
}

test.each([
  ['declined', decline],
  ['given up by two persons', abort],
])(
  'decisions 4: a credited deposit that is taken away while its return waits is REVERSED once that is %s',
  async (_, end) => {
    const w = await returnWorld({ ...CREDITED, isByHand: true });
    await w.operate(requestReturnContract, { payoutNeverMade: 'yes' }, CARL);
    if (end === abort) {
      await w.operate(approveReturnContract);
      await w.operate(startReturnContract);
    }
    w.custodian.transfer = transfer({ state: 'FAILED' });
    await w.poll();
    while (w.kept().nextPollAt !== undefined) {
      w.clock.advance(3600);
      await w.pollPlanned();
    }
    await end(w);
    expect(w.status()).toBe('CREDITED');
    await w.pollPlanned();
    expect([w.status(), w.kept().unmatched]).toEqual(['REVERSED', 'REVERSED']);
    expect(w.errors()).toContain('CREDITED_DEPOSIT_REVERSED');
  },
);
