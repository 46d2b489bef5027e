import { depositIdOf } from '#shared/off-ramps/model/deposit.ts';
import type { TrueSending } from '#test/simulation/books/truth.ts';
import type { Outside } from '#test/simulation/world/outside.ts';
import { persons } from '#test/simulation/world/script/finance.ts';
import type { FinanceScript } from '#test/simulation/world/script/finance-script.ts';
import { HOUR } from '#test/simulation/world/script/moments.ts';
import { type Console, identityOf, type Row } from './console.ts';
import { type DepositAnswer, type Desk, depositAnswer, mayArrive, meantFor } from './desk.ts';
import { explainDifferences } from './explain.ts';
import { dealWithReturn, recordBoosted } from './return-deposits.ts';

/** How many rows of a list a person handles. */
const MOST = 4;

/** A person goes through the lists of finance, and handles some of their rows. */
export async function visit(outside: Outside, operator: Console, act: FinanceScript): Promise<void> {
  const { random } = outside.host;
  const desk = deskOf(outside, operator, act);
  const each = async (name: string, deal: (row: Row) => Promise<void>) => {
    const rows = ((await operator.list(name)) ?? []).filter(() => random.chance(0.6));
    for (const row of rows.slice(0, MOST)) await deal(row);
  };
  await each('proposals', (row) => confirm(desk, row));
  await each('returns', async (row) => {
    const deposit = await lookUp(desk, row);
    if (deposit?.return !== undefined) await dealWithReturn(desk, deposit, deposit.return);
  });
  await each('unmatched', (row) => inAHurry(desk, row, dealWithUnmatched));
  await each('owed', (row) => inAHurry(desk, row, dealWithOwed));
  if (random.chance(0.3)) await explain(outside, operator, act);
}

/** A person explains the differences in the books, and others confirm the proposals. */
export async function explain(outside: Outside, operator: Console, act: FinanceScript): Promise<void> {
  const desk = deskOf(outside, operator, act);
  await explainDifferences(desk);
  const rows = (await operator.list('proposals')) ?? [];
  for (const row of rows) if (row['confirmedWith'] === 'confirm-difference') await confirm(desk, row);
}

/** The person who has boosted a sending records it, for up to two days, if nobody else has. */
export async function recordInTheEnd(outside: Outside, operator: Console, { depositId }: TrueSending): Promise<void> {
  const desk = deskOf(outside, operator, { at: 0, person: 'ana', isWrong: false, isImpatient: false });
  for (let tries = 8; tries > 0; tries -= 1) {
    await outside.host.schedule.clock.sleep(6 * HOUR);
    const sent = outside.chain.all.find(({ facts }) => depositIdOf(String(facts.custodianTransferId)) === depositId);
    const deposit = sent && (await lookUp(desk, sent.facts));
    if (deposit?.return?.returnedAt !== undefined) return;
    if (deposit?.return?.mayStillArrive) await recordBoosted(desk, deposit, deposit.return);
  }
}

function deskOf(outside: Outside, operator: Console, act: FinanceScript): Desk {
  const { random, schedule } = outside.host;
  const command: Desk['change'] = async (name, input, person = act.person) => {
    const answer = await operator.change(name, input, identityOf(person, random.pick(['finance', 'approvers'])));
    return answer?.status === 200;
  };
  return {
    ...{ outside, operator, act, change: command },
    refused: async (name, input, person) => {
      if (await command(name, input, person))
        schedule.fail(new Error(`${name} of ${JSON.stringify(input)} was taken by ${person ?? act.person}.`));
    },
  };
}

async function lookUp({ operator }: Desk, row: Readonly<Record<string, unknown>>): Promise<DepositAnswer | undefined> {
  const found = await operator.read(`deposit?deposit=${encodeURIComponent(idOf(row))}`);
  return found === undefined ? undefined : depositAnswer.parse(found);
}

const idOf = (row: Row) => String(row['custodianTransferId']);

type Deal = (desk: Desk, row: Row) => Promise<void>;

/** An impatient person starts two actions at once, which may exclude each other. */
async function inAHurry(desk: Desk, row: Row, deal: Deal): Promise<void> {
  if (desk.act.isImpatient) desk.outside.host.schedule.start('in a hurry', () => deal(desk, row));
  await deal(desk, row);
}

/** Returns the deposit, credits it, keeps it, writes it off, undoes its settlement, or leaves it for another day. */
async function dealWithUnmatched(desk: Desk, row: Row): Promise<void> {
  const { random } = desk.outside.host;
  const custodianTransferId = idOf(row);
  const deals = {
    RETURN: () => request(desk, row),
    CREDIT: () => desk.change('credit-deposit', { custodianTransferId, ...meantFor(desk, custodianTransferId) }),
    KEEP: () => desk.change('settle-deposit', { custodianTransferId, outcome: 'kept' }),
    WRITE_OFF: () => desk.change('settle-deposit', { custodianTransferId, outcome: 'written-off' }),
    UNSETTLE: () => desk.change('unsettle-deposit', { custodianTransferId }),
    LEAVE: async () => false,
  };
  const isThere = row['status'] === 'UNMATCHED';
  const most = ['RETURN', 'RETURN', 'RETURN', 'CREDIT', 'CREDIT', 'KEEP', 'UNSETTLE', 'LEAVE'] as const;
  const others = ['WRITE_OFF', 'WRITE_OFF', 'UNSETTLE', 'LEAVE', ...most] as const;
  await deals[random.pick(isThere ? most : others)]();
}

/** A return of a credited deposit must state that the payout was never made; a wrong person also asks without. */
async function dealWithOwed(desk: Desk, row: Row): Promise<void> {
  const { host, memory } = desk.outside;
  const custodianTransferId = idOf(row);
  const isPaid = memory.payouts.some((one) => one.operationId === row['operationId'] && !one.isBack);
  if (host.random.chance(0.2)) await desk.change('settle-deposit', { custodianTransferId, outcome: 'kept' });
  else if (desk.act.isWrong) await desk.change('request-return', { custodianTransferId });
  // The service knows of the payout by now, even if other services report it differently.
  if (!isPaid || desk.act.isWrong) await request(desk, row, { payoutNeverMade: 'yes' });
}

/** Requests a return to the sender, or to a named address: the sender's own, needed if no off-ramp has the deposit. */
async function request(desk: Desk, row: Row, also: Readonly<Record<string, string>> = {}): Promise<void> {
  const { chain, host } = desk.outside;
  const custodianTransferId = idOf(row);
  const facts = chain.all.find(({ facts: one }) => one.custodianTransferId === custodianTransferId)?.facts;
  const isNamed = facts !== undefined && (row['operationId'] === undefined || host.random.chance(0.2));
  const address = isNamed ? { address: facts.fromAddress } : {};
  await desk.change('request-return', { custodianTransferId, ...also, ...address });
}

/** A second person checks and confirms; nobody confirms that nothing was sent while it may still arrive. */
async function confirm(desk: Desk, row: Row): Promise<void> {
  const [name, proposalId] = [String(row['confirmedWith']), String(row['proposalId'])];
  const proposedBy = String(row['proposedBy']).split('/').at(-1) ?? '';
  if (desk.act.isWrong) await desk.refused(name, { proposalId }, proposedBy);
  if (row['command'] === 'abort-return' && mayArrive(desk, String(row['about']))) return;
  const others = persons.filter((person) => person !== proposedBy);
  const { host } = desk.outside;
  if (host.random.chance(0.2))
    host.schedule.start(
      'withdraws',
      async () => void (await desk.change('withdraw-proposal', { proposalId }, proposedBy)),
    );
  await desk.change(name, { proposalId }, desk.outside.host.random.pick([others[0] ?? 'bea', ...others]));
}
