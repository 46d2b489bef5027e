import { type DepositReturn, depositIdOf } from '#shared/off-ramps/model/deposit.ts';
import { remainingAmount } from '#shared/platform/amount.ts';
import { newTransactionHash } from '#test/simulation/world/chain/transaction-hash.ts';
import { treasuryAccount } from '#test/simulation/world/providers/sendings.ts';
import { persons } from '#test/simulation/world/script/finance.ts';
import { MINUTE } from '#test/simulation/world/script/moments.ts';
import { type DepositAnswer, type Desk, mayArrive, meantFor } from './desk.ts';

type Deal = (desk: Desk, deposit: DepositAnswer, left: DepositReturn) => Promise<unknown>;

/** A person does the next step of a return, or one that must not be done now. */
export const dealWithReturn: Deal = async (desk, deposit, left) => {
  const { custodianTransferId } = deposit;
  const { random } = desk.outside.host;
  if (left.returnedAt !== undefined) return;
  // Someone who has not checked for a return credits the deposit.
  if (random.chance(0.3))
    await desk.change('credit-deposit', { custodianTransferId, ...meantFor(desk, custodianTransferId) });
  if (left.approvals.length < left.approversNeeded) return approve(desk, deposit, left);
  if (left.isByHand) return sendByHand(desk, deposit, left);
  if (left.mayStillArrive && (await recordBoosted(desk, deposit, left))) return;
  // An impatient person declines or aborts a return that only waits for the custodian.
  if (random.chance(0.2)) await desk.change('decline-return', { custodianTransferId });
  if (left.sendingAt !== undefined && (desk.act.isWrong || !mayArrive(desk, custodianTransferId)))
    await desk.change('abort-return', { custodianTransferId });
  return undefined;
};

const personIn = (by: string) => by.split('/').at(-1) ?? '';

const approve: Deal = async (desk, { custodianTransferId }, left) => {
  const { chain, host, memory } = desk.outside;
  const sent = chain.all.find(({ facts }) => facts.custodianTransferId === custodianTransferId)?.facts.amount;
  // An approver checks the chain: a custodian may report a wrong amount, and correct it after the return was sent.
  if (sent !== undefined && remainingAmount(sent, left.fee) !== left.amount)
    return desk.change('decline-return', { custodianTransferId });
  const asked = memory.commands.findLast(
    ({ name, input }) => name === 'request-return' && input['custodianTransferId'] === custodianTransferId,
  );
  const address = asked?.input['address'];
  const input = { custodianTransferId, ...(address !== undefined && { confirmAddress: address }) };
  const requester = personIn(left.requestedBy);
  // The same person in two roles counts once.
  if (desk.act.isWrong && !left.requestedBy.startsWith('client '))
    await desk.change('approve-return', input, requester.toUpperCase());
  if (host.random.chance(0.15)) return desk.change('decline-return', { custodianTransferId });
  if (desk.act.isImpatient)
    host.schedule.start('approves at once', async () => void (await desk.change('approve-return', input)));
  if (desk.act.isImpatient && host.random.chance(0.3))
    host.schedule.start(
      'declines at once',
      async () => void (await desk.change('decline-return', { custodianTransferId })),
    );
  return desk.change('approve-return', input);
};

/** One person sends the money and records the hash; others look for that hash before they send. */
const sendByHand: Deal = async (desk, deposit, left) => {
  const { custodianTransferId } = deposit;
  const { host, memory } = desk.outside;
  const person = senderOf(desk, left);
  if (left.sendingAt === undefined && !(await start(desk, custodianTransferId, left, person))) return;
  const note = noteOf(custodianTransferId, left);
  const isGivenUp = host.random.chance(0.15);
  const hash = memory.sentByHand.get(note) ?? (isGivenUp ? '' : send(desk, deposit, left));
  memory.sentByHand.set(note, hash);
  if (hash !== '') await record(desk, deposit, hash, person);
  else if (!mayArrive(desk, custodianTransferId)) await desk.change('abort-return', { custodianTransferId }, person);
};

/** A person boosted the transaction: another one has paid the return, while the custodian reports failure. */
export async function recordBoosted(desk: Desk, deposit: DepositAnswer, left: DepositReturn): Promise<boolean> {
  const { custodian, memory } = desk.outside;
  const { custodianTransferId } = deposit;
  const sent = custodian.sendings.all.findLast(
    ({ boosts, depositId }) => boosts !== undefined && depositId === depositIdOf(custodianTransferId),
  );
  const hash = sent?.phases.at(-1)?.txHash;
  if (hash === undefined) return false;
  memory.sentByHand.set(noteOf(custodianTransferId, left), hash);
  await record(desk, deposit, hash, senderOf(desk, left));
  return true;
}

const noteOf = (custodianTransferId: string, { requestedAt }: DepositReturn) => `${custodianTransferId} ${requestedAt}`;

/** Returns a person who did not request the return. */
function senderOf({ act }: Desk, { requestedBy }: DepositReturn): string {
  const others = persons.filter((person) => person !== personIn(requestedBy));
  return others.find((one) => one === act.person) ?? others[0] ?? 'bea';
}

async function start(desk: Desk, custodianTransferId: string, left: DepositReturn, person: string): Promise<boolean> {
  const isFinances = !left.requestedBy.startsWith('client ');
  if (desk.act.isWrong && isFinances)
    await desk.change('start-return', { custodianTransferId }, personIn(left.requestedBy));
  return desk.change('start-return', { custodianTransferId }, person);
}

/** Records a hash until it is accepted as final; a wrong person first tries an unknown hash and another return's. */
async function record(
  desk: Desk,
  { custodianTransferId, network }: DepositAnswer,
  hash: string,
  person: string,
): Promise<void> {
  const { custodian, host } = desk.outside;
  const own = custodian.sendings.all.find(({ phases }) => phases.at(-1)?.txHash === hash)?.order;
  const another = custodian.sendings.all.find(
    ({ order }) => order.network === network && (order.to.address !== own?.to.address || order.amount !== own.amount),
  );
  const wrong = [newTransactionHash(network, host.random), another?.phases.at(-1)?.txHash ?? ''];
  for (const one of desk.act.isWrong ? wrong.filter((hash) => hash !== '') : [])
    await desk.refused('record-return', { custodianTransferId, hash: one }, person);
  for (let tries = 4; tries > 0; tries -= 1) {
    if (await desk.change('record-return', { custodianTransferId, hash }, person)) return;
    await host.schedule.clock.sleep(10 * MINUTE);
  }
}

/** Sends by hand; now and then from another account of the owner. */
function send(
  { outside: { custodian, host } }: Desk,
  { custodianTransferId, network }: DepositAnswer,
  left: DepositReturn,
): string {
  const { assetId, amount, address, tag } = left;
  const from = host.random.chance(0.2) ? treasuryAccount(network) : left.from;
  const to = { address, ...(tag !== undefined && { tag }) };
  return custodian.sendings.sendByHand({ network, assetId, amount, from, to }, depositIdOf(custodianTransferId));
}
