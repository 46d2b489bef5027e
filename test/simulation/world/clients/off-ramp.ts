import type * as z from 'zod/mini';
import { COMPLIANCE, PAYOUTS } from '#shared/events/incoming-events.ts';
import { listOperationsContract } from '#shared/off-ramps/contract/off-ramp-contract.ts';
import { createWithdrawalContract } from '#shared/off-ramps/contract/withdrawal-contract.ts';
import { OPERATION_STATUS } from '#shared/off-ramps/model/incoming-off-ramp-status.ts';
import type { KnownOffRamp } from '#test/simulation/world/memory.ts';
import type { Outside } from '#test/simulation/world/outside.ts';
import type { OffRampScript } from '#test/simulation/world/script/script.ts';
import { sayOnBus } from '#test/simulation/world/services/say-on-bus.ts';
import { askBack } from './ask-back.ts';
import { at, inTime } from './in-time.ts';
import { pay } from './pay.ts';
import { repeatCreation } from './repeat-creation.ts';
import type { ApiCall, Session } from './session.ts';

type Created = z.infer<typeof createWithdrawalContract.success.body>['operation'];

/** A client creates one off-ramp through the API, its user pays, and other services report its statuses. */
export async function takeOffRamp(outside: Outside, session: Session, script: OffRampScript): Promise<void> {
  await at(outside, script.at);
  const operation = await create(outside, session, script);
  if (operation === undefined) return;
  const { id: operationId, address, addressTag } = operation;
  const known: KnownOffRamp = { script, operationId, address, ...(addressTag !== undefined && { addressTag }) };
  outside.memory.offRamps.push(known);
  const path = `${pathOf(script)}/${operationId}`;
  inTime(outside, `user of ${script.name}`, script.payments, (payment) => pay(outside, known, payment));
  inTime(outside, `submits for ${script.name}`, script.submissions, async ({ txHash }) => {
    await session.persist({ method: 'POST', path: `${path}/hash`, body: { txHash } });
  });
  inTime(outside, `cancels ${script.name}`, script.cancellations, async () => {
    await session.persist({ method: 'POST', path: `${path}/cancel` });
  });
  inTime(outside, `reads ${script.name}`, script.reads, async ({ what }) => {
    const paths = { OPERATION: path, HASH: `${path}/hash`, LIST: `${pathOf(script)}?limit=2` };
    await session.call({ method: 'GET', path: paths[what] });
  });
  inTime(outside, `asks back for ${script.name}`, script.returns, (asked) =>
    askBack(outside, session, known, path, asked),
  );
  inTime(outside, `says of ${script.name}`, script.messages, async ({ source, status, reason }) => {
    const senders = { COMPLIANCE, PAYOUTS };
    sayOnBus(outside, {
      source: senders[source],
      type: OPERATION_STATUS,
      detail: { operationId, eventId: `said ${outside.memory.notices.length + 1}`, status, reason },
    });
  });
}

/** Without a key the request is sent once; if no answer came, the operation is looked up in the list. */
async function create(outside: Outside, session: Session, script: OffRampScript): Promise<Created | undefined> {
  const { wallet, asset, amount, externalReference, key, repeats } = script;
  const call: ApiCall = {
    method: 'POST',
    path: pathOf(script),
    body: { originExternalWalletId: wallet.walletId, supportedTokenId: asset.tokenId, amount, externalReference },
    key,
  };
  const answer = await (key === undefined ? session.call(call) : session.persist(call));
  if (answer?.status === 201) {
    repeatCreation(outside, session, call, answer, repeats);
    return createWithdrawalContract.success.body.parse(JSON.parse(answer.body)).operation;
  }
  return answer === undefined || answer.status >= 500 ? find(session, script) : undefined;
}

async function find(session: Session, script: OffRampScript): Promise<Created | undefined> {
  const query = new URLSearchParams({ externalReference: script.externalReference });
  const answer = await session.persist({ method: 'GET', path: `${pathOf(script)}?${query}` });
  if (answer?.status !== 200) return undefined;
  return listOperationsContract.success.body.parse(JSON.parse(answer.body)).operations[0];
}

function pathOf({ userId }: OffRampScript): string {
  return `/api/v1/admin/operation/${userId}/withdrawal`;
}
