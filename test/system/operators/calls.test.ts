import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { findService } from '#infra/cli/find-service.ts';
import { runOps } from '#infra/cli/run-ops.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { eventually } from '#test/support/eventually.ts';
import { newHash, OffRampUser } from '#test/support/http-client.ts';
import { newTenant } from '#test/support/tenant.ts';
import { type Subscriber, subscriber } from '#test/support/webhook-subscriber.ts';

/** What callers say (docs/operations.md), and the one command that answers it. */

/** A name that does not occur in the name of another client. */
const newName = () => `Llamadas${newHash().slice(2, 12)}`;
const NAME = newName();

/** A wallet that is not the declared one: an exchange. */
const EXCHANGE = `0x${'5e'.repeat(20)}`;

let user: OffRampUser;
let subscribers: Subscriber;
beforeAll(async () => {
  [user, subscribers] = [new OffRampUser('POLYGON', await newTenant(NAME)), await subscriber()];
});
afterAll(() => subscribers.stop());

/** Runs one command, as an operator types it. */
async function ops(...typed: readonly string[]) {
  let [printed, said] = ['', ''];
  const { port } = new URL(inject('outputs').baseUrl);
  const status = await runOps([...typed, '--port', port, '--json'], {
    print: (text) => {
      printed += text;
    },
    say: (text) => {
      said += text;
    },
    person: undefined,
    read: () => Promise.reject(new Error('No file is read.')),
    clock: systemClock,
    makeSecretFile: () => Promise.reject(new Error('No file is made.')),
    findService,
    untilStopped: async () => undefined,
  });
  if (status !== 0) throw new Error(said);
  return JSON.parse(printed);
}

/** Repeats one command until its answer contains the wanted fields. */
const answered = (typed: readonly string[], wanted: object) =>
  eventually(
    () => ops(...typed).catch((error: unknown) => ({ error })),
    (answer) => {
      try {
        expect(answer).toMatchObject(wanted);
        return true;
      } catch {
        return false;
      }
    },
    120,
  );

/** Creates an off-ramp of 100, and a transfer to its address with a notification. */
async function sent(differences: Parameters<OffRampUser['deposit']>[2] = {}) {
  const operation = await user.create('100');
  const txHash = newHash();
  await user.deposit(operation, txHash, { notify: true, ...differences });
  return { operation, txHash };
}

const says = (what: string) => expect.stringContaining(what);

test('decisions 11, what callers say: «we sent it yesterday» of a hash that nobody has reported has the custodian asked for it', async () => {
  const { txHash } = await sent({ notify: false });
  await expect(ops('operation', txHash)).rejects.toThrow('No off-ramp has this');
  await answered(['search-hash', 'POLYGON', txHash, '--reason', 'It was sent yesterday'], { txHash });
  await answered(['operation', txHash], { deposits: [{ status: 'CREDITED', txHash }] });
});

test('decisions 11, what callers say: «you paid too little» shows both amounts, and what the user still has to send', async () => {
  const { txHash } = await sent({ amount: '99' });
  await answered(['operation', txHash], {
    amount: '100',
    deposits: [{ status: 'UNMATCHED', amount: '99', reasons: ['WRONG_AMOUNT'] }],
    next: { who: 'FINANCE', what: says('Amounts are never added up: the user still sends the whole 100') },
  });
});

test('decisions 11, what callers say: «the hash is not found» says that the custodian does not have it, and when it was asked', async () => {
  const [operation, txHash] = [await user.create('100'), newHash()];
  await user.submit(operation.id, txHash);
  const inWords = says('The custodian knows no transaction with this hash');
  // The last poll also says that the window has ended.
  const polls = expect.arrayContaining([expect.objectContaining({ at: says('T'), found: inWords })]);
  await answered(['operation', txHash], { hash: { reason: 'NOT_FOUND', inWords, polls } });
});

test('decisions 11, what callers say: «the webhook has not come» says how the endpoint has answered', async () => {
  // Uses a separate client, because after five failures its endpoint is not called for a while.
  const name = newName();
  const other = new OffRampUser('POLYGON', await newTenant(name));
  const { webhookId } = await subscribers.subscribe(other.client, () => ({ status: 503 }));
  const operation = await other.create('100');
  const delivery = { webhookId, status: 'PENDING', lastResult: '503', nextAttemptAt: says('T') };
  await answered(['operation', operation.id], { deliveries: [delivery] });
  await answered(['webhooks', name], { items: [{ webhookId, isActive: true, lastError: '503' }] });
});

test('decisions 11, what callers say: «how much was paid out for us» takes the name of the client, and days in its time zone', async () => {
  const { operation } = await sent();
  await answered(['operation', operation.id], { status: 'COMPLETED' });
  const zone = 'America/Bogota';
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format();
  const total = expect.objectContaining({ clientId: user.client.clientId, status: 'COMPLETED', token: 'USDC' });
  const typed = ['report-offramps', '--client', NAME, '--zone', zone, '--from', today, '--to', today];
  await answered(typed, { zone, totals: expect.arrayContaining([total]) });
});

test('decisions 11, what callers say: «who has changed this» of a client names the person, the reason and the time', async () => {
  const { clientId } = user.client;
  const reason = 'Its own is a year old';
  await ops('rotate-secret', clientId, '--reason', reason, '--yes', '--as', 'alice');
  const change = { command: 'rotate-secret', who: says('/alice'), reason, result: 'DONE', at: says('T') };
  await answered(['client', NAME], { id: clientId, changes: [change] });
  await answered(['audit', '--about', clientId], { items: [{ ...change, about: clientId }] });
});

test('decisions 11, what callers say: «it came from an exchange» shows both wallets, and that finance may credit it by hand', async () => {
  const { txHash } = await sent({ fromAddress: EXCHANGE });
  await answered(['operation', txHash], {
    senderAddress: user.wallet.address,
    deposits: [{ status: 'UNMATCHED', reasons: ['WRONG_SENDER'], fromAddress: EXCHANGE }],
    next: { who: 'FINANCE', what: says('credit-deposit') },
  });
});

test('decisions 11, what callers say: «the custodian says that it is frozen» says who releases it', async () => {
  const { txHash } = await sent({ state: 'HELD' });
  await answered(['operation', txHash], { deposits: [{ status: 'HELD' }], next: { who: 'CUSTODIAN', at: says('T') } });
});
