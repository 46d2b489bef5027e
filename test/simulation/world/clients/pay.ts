import { isFinal } from '#test/simulation/books/fits.ts';
import type { ChainTransfer } from '#test/simulation/world/chain/chain.ts';
import type { KnownOffRamp } from '#test/simulation/world/memory.ts';
import type { Outside } from '#test/simulation/world/outside.ts';
import { CUSTODIAN, custodianNotification, custodianSignature } from '#test/simulation/world/providers/custodian.ts';
import { movementId } from '#test/simulation/world/providers/fireblocks-shapes.ts';
import { notify } from '#test/simulation/world/providers/notify.ts';
import { treasuryAccount } from '#test/simulation/world/providers/sendings.ts';
import type { PaymentScript, TransferScript } from '#test/simulation/world/script/script.ts';
import { at } from './in-time.ts';

/** A user sends one transaction, and the custodian notifies the service of what it sees of it. */
export async function pay(outside: Outside, known: KnownOffRamp, payment: PaymentScript): Promise<void> {
  const { host, chain } = outside;
  const sentAt = host.schedule.clock.now().getTime();
  const all = payment.transfers.map((transfer, number) => factsOf(outside, known, payment, transfer, number));
  const isFireblocks = outside.swarm.custodianManners.isFireblocks > 0;
  for (const facts of isFireblocks ? inOneRecord(all.map(ofItsNetwork), payment) : all) {
    const sent = chain.send(facts, sentAt, payment.phases);
    host.trace(() => `sends ${facts.amount} to ${facts.toAddress} by ${facts.txHash}`);
    host.schedule.start(`custodian notifies of ${known.script.name}`, () => notifyOf(outside, sent));
    if (isFireblocks && host.random.chance(outside.swarm.custodianManners.swept))
      host.schedule.start(`custodian sweeps ${known.script.name}`, () => sweep(outside, sent));
  }
}

/** Moves a final transfer on to another account of the owner; Fireblocks notifies of that, too. */
async function sweep(outside: Outside, { facts, phases }: ChainTransfer): Promise<void> {
  const [{ sendings }, end] = [outside.custodian, phases.at(-1)];
  if (end === undefined || !isFinal(end) || facts.isFromCustodian === true) return;
  await at(outside, end.at + outside.host.random.below(60_000));
  const { network, assetId, amount, toAddress: from } = facts;
  sendings.sendByHand({ network, assetId, amount, from, to: { address: treasuryAccount(network) } }, '');
  const arrival = outside.chain.all.at(-1);
  if (arrival !== undefined) await notifyOf(outside, arrival);
}

/** Fireblocks identifies the network of a transfer by its asset alone. */
function ofItsNetwork(facts: ChainTransfer['facts']): ChainTransfer['facts'] {
  return { ...facts, assetId: facts.assetId.replace(/^\w+/, facts.network) };
}

/** Makes the transfers movements of one record if possible: same sender, same tag and no misread amount. */
function inOneRecord(
  all: readonly ChainTransfer['facts'][],
  { txHash, phases }: PaymentScript,
): readonly ChainTransfer['facts'][] {
  const shared = all.map(({ fromAddress, toTag, isFromCustodian }) => `${fromAddress} ${toTag} ${isFromCustodian}`);
  const isOne = all.length > 1 && new Set(shared).size === 1 && !phases.some(({ isMisread }) => isMisread);
  if (!isOne) return all;
  return all.map((facts, number) => {
    const isAlike = (one: ChainTransfer['facts']) => movementId(txHash, one, 0) === movementId(txHash, facts, 0);
    const before = all.slice(0, number).filter(isAlike).length;
    // The first movement has the id of the record itself.
    const id = number === 0 ? txHash : movementId(txHash, facts, before);
    return { ...facts, custodianTransferId: `${CUSTODIAN}:${id}` };
  });
}

function factsOf(
  { memory }: Outside,
  { script, ...own }: KnownOffRamp,
  { txHash, network }: PaymentScript,
  { amount = script.amount, assetId, fromAddress, to, isWithoutTag = false, isFromCustodian }: TransferScript,
  number: number,
): ChainTransfer['facts'] {
  const { address, addressTag } =
    memory.offRamps.find((other) => other.script.name === to && other.script.wallet.network === network) ?? own;
  return {
    custodianTransferId: `${CUSTODIAN}:${txHash}:${number}`,
    network,
    txHash,
    toAddress: address,
    ...(addressTag !== undefined && !isWithoutTag && { toTag: addressTag }),
    fromAddress: fromAddress ?? script.wallet.address,
    assetId: assetId ?? script.asset.custodianAssetId,
    amount,
    ...(isFromCustodian !== undefined && { isFromCustodian }),
  };
}

/** Sends one notification for each phase. */
async function notifyOf(
  { host, request, swarm }: Outside,
  { facts, phases, notifiedAt }: ChainTransfer,
): Promise<void> {
  const { clock } = host.schedule;
  const body = custodianNotification(facts, host.random.pick(['ALL', 'ALL', 'ID', 'HASH']));
  const notification = {
    path: '/api/custodian/notifications',
    body,
    headers: custodianSignature.headers(body),
    forgedHeaders: custodianSignature.forgedHeaders(body),
  };
  for (const { at } of phases) {
    await clock.sleep(Math.max(0, at - clock.now().getTime()));
    host.schedule.start('notification of the custodian', () =>
      notify(host, request, swarm.custodianNotifications, notification, notifiedAt),
    );
  }
}
