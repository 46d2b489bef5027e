import { describe, expect, test } from 'vitest';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CLIENT, OPERATION } from '#test/support/ids.ts';
import { CREATED_AT, EXPIRES_AT, HASH, offRamp, transfer } from '#test/support/off-ramp.ts';
import { offRampsInMemory, TABLES } from '#test/support/off-ramps-in-memory.ts';

async function world({ txHash }: { readonly txHash?: string }) {
  const offRamps = offRampsInMemory(fakeClock(CREATED_AT), offRamp());
  if (txHash !== undefined) await offRamps.beginAttempt(await offRamps.kept(), { txHash, windowEndsAt: EXPIRES_AT });
  const searched = () =>
    offRamps
      .table(TABLES.deposits)
      .items()
      .flatMap(({ custodianTransferId }) =>
        String(custodianTransferId).startsWith('HASH#') ? [custodianTransferId] : [],
      );
  const fail = async () =>
    offRamps.endOperation((await offRamps.kept()).operation, { status: 'FAILED', reason: 'why' });
  return { ...offRamps, searched, fail };
}

describe('an operation that ends while its deposit may still come', () => {
  test('has its reported hash looked for, which any operation may declare again', async () => {
    const { fail, searched, claimantOf } = await world({ txHash: HASH });
    await fail();
    expect(searched()).toEqual([`HASH#${CLIENT}#ETHEREUM#${HASH}`]);
    expect(await claimantOf('DECLARED', HASH)).toBeUndefined();
  });

  test('before it reported a hash has nothing looked for', async () => {
    const { fail, searched, kept } = await world({});
    await fail();
    expect([(await kept()).operation.status, searched()]).toEqual(['FAILED', []]);
  });

  test('after its deposit has nothing looked for: the deposit is there', async () => {
    const { confirmDeposit, fail, searched, kept } = await world({ txHash: HASH });
    await confirmDeposit(OPERATION, transfer());
    await fail();
    expect([(await kept()).operation.status, searched()]).toEqual(['FAILED', []]);
  });

  test('is answered as it is stored', async () => {
    const { fail, kept } = await world({ txHash: HASH });
    expect(await fail()).toEqual((await kept()).operation);
    expect((await kept()).operation).toMatchObject({
      sequence: 3,
      statusHistory: [{ status: 'AWAITING_DEPOSIT' }, { status: 'FAILED', at: CREATED_AT, reason: 'why' }],
    });
  });
});
