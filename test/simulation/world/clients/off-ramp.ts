import { createWithdrawal } from '#shared/off-ramps/withdrawal-contract.ts';
import type { HttpAnswer } from '#test/simulation/aws/gateway.ts';
import type { KnownOffRamp } from '#test/simulation/world/memory.ts';
import type { Outside } from '#test/simulation/world/outside.ts';
import type { OffRampScript } from '#test/simulation/world/script/script.ts';
import { at, inTime } from './in-time.ts';
import { pay } from './pay.ts';
import type { Session } from './session.ts';

/** A client takes one off-ramp through the API, and its user pays. */
export async function takeOffRamp(outside: Outside, session: Session, script: OffRampScript): Promise<void> {
  await at(outside, script.at);
  const created = await create(session, script);
  if (created?.status !== 201) return;
  const { operation } = createWithdrawal.success.body.parse(JSON.parse(created.body));
  const { id: operationId, address, addressTag } = operation;
  const known: KnownOffRamp = { script, operationId, address, ...(addressTag !== undefined && { addressTag }) };
  outside.memory.offRamps.push(known);
  const path = `${pathOf(script)}/${operationId}`;
  inTime(outside, `user of ${script.name}`, script.payments, (payment) => pay(outside, known, payment));
  inTime(outside, `submits for ${script.name}`, script.submissions, (submission) =>
    submit(session, path, submission.txHash),
  );
  inTime(outside, `cancels ${script.name}`, script.cancellations, async () => {
    await session.persist({ method: 'POST', path: `${path}/cancel` });
  });
  inTime(outside, `reads ${script.name}`, script.reads, async ({ what }) => {
    const paths = { OPERATION: path, HASH: `${path}/hash`, LIST: `${pathOf(script)}?limit=2` };
    await session.call({ method: 'GET', path: paths[what] });
  });
}

async function submit(session: Session, path: string, txHash: string): Promise<void> {
  await session.persist({ method: 'POST', path: `${path}/hash`, body: { txHash } });
}

async function create(session: Session, script: OffRampScript): Promise<HttpAnswer | undefined> {
  const { wallet, asset, amount, externalReference, key } = script;
  const call = {
    method: 'POST',
    path: pathOf(script),
    body: { originExternalWalletId: wallet.walletId, supportedTokenId: asset.tokenId, amount, externalReference },
    key,
  };
  return key === undefined ? session.call(call) : session.persist(call);
}

function pathOf({ user }: OffRampScript): string {
  return `/api/v1/admin/operation/${user.userId}/withdrawal`;
}
