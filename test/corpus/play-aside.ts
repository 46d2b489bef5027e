import { demoProfile } from '#infra/local/demo-profile.ts';
import { type TableName, tableShapes } from '#infra/stage/table-shapes.ts';
import { createClientOnboarding } from '#shared/clients/client-onboarding.ts';
import { createUserErasure } from '#shared/clients/user-erasure.ts';
import { createUserOnboarding } from '#shared/clients/user-repository.ts';
import { createAddressPool } from '#shared/off-ramps/custodians/address-pool.ts';
import { createTakeAddress } from '#shared/off-ramps/custodians/take-address.ts';
import { createRuledBanks } from '#shared/parameters/ruled-banks.ts';
import { createBooks } from '#shared/platform/books/book-store.ts';
import { keepBook } from '#shared/platform/books/keep-book.ts';
import { createProviderLimits } from '#shared/platform/dynamodb/provider-limits.ts';
import { transact } from '#shared/platform/dynamodb/transaction.ts';
import { takeOverLog } from '#test/simulation/kernel/take-over-log.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { tablesInMemory } from '#test/support/tables-in-memory.ts';

const CLIENT = '00000000-0000-4000-8000-000000000001';
const USER = '00000000-0000-4000-8000-000000000002';
const OPERATION = '00000000-0000-4000-8000-000000000003';

interface Written {
  readonly table: TableName;
  readonly item: Readonly<Record<string, unknown>>;
}

/** What no round of the simulation writes: its providers have no books, pools, limits or banks, and nobody comes or goes. */
export async function playAside(): Promise<readonly Written[]> {
  // The books differ, so that their pages say so.
  using _ = takeOverLog({ tell: () => {}, onError: () => {}, fail: () => {} });
  const { dynamo, table } = tablesInMemory();
  const clock = fakeClock('2026-08-01T09:00:00.000Z');
  const names = Object.keys(tableShapes).filter((name): name is TableName => name in tableShapes);
  const written: Written[] = [];
  const take = () => {
    for (const name of names)
      written.push(
        ...table(name)
          .items()
          .map((item) => ({ table: name, item })),
      );
  };

  const books = createBooks(dynamo, 'books', clock);
  const found = { kind: 'AMOUNT_DIFFERS', id: 'transfer-1', what: 'The provider has 2, and we have 1.' };
  const read = async ({ position }: { readonly position?: string | undefined }) => {
    take();
    const entry = { asset: 'ETHEREUM:USDC', term: 'in', amount: '1' };
    return { entries: [entry], differences: [found], ...(position === undefined && { position: '1' }) };
  };
  const keep = keepBook({ books, clock, timeZone: 'America/Bogota' });
  const ledger = { name: 'deposits#custodian', read, readBalances: async () => ({ 'ETHEREUM:USDC': '3' }) };
  for (let night = 0; night < 5; night += 1) {
    await keep(ledger, clock.now().getTime() + 60_000);
    clock.advance(24 * 3600);
  }
  const line = { network: 'ETHEREUM', txHash: `0x${'ab'.repeat(32)}`, assetId: 'ETHEREUM:USDC', amount: '1' };
  await books.saveLine('OUT', clock.now().toISOString(), 'out-1', { ...line, term: 'treasury' });
  await books.saveLine('OUT', clock.now().toISOString(), 'out-2', { ...line, term: 'returned', deposit: 'transfer-1' });
  await books.saveSeen('deposits#custodian', 'transfer-1');
  const persons = { explainedBy: 'bea', confirmedBy: 'ada', explainedAt: clock.now().toISOString(), reason: 'Case 17' };
  const explained = { ...found, ...persons, book: ledger.name, day: '2026-08-01' };
  await transact(dynamo, {
    one: books.explain(explained, 'p-1'),
    other: books.explain({ ...explained, amount: '1' }, 'p-2'),
  });

  const pool = createAddressPool(dynamo, 'addressPool', clock);
  const account = await pool.begin('evm', 'address-1');
  take();
  const known = await pool.update('evm', account, { tries: 1, vaultId: '7' });
  if (known === undefined) throw new Error('Somebody else has made it.');
  take();
  await pool.finish('evm', known, { address: `0x${'1a'.repeat(20)}` }, ['ETHEREUM', 'POLYGON']);
  const tagged = await pool.begin('STELLAR', 'tag-1');
  await pool.finish('STELLAR', tagged, { address: 'G'.padEnd(56, 'A'), tag: '1001' }, ['STELLAR']);
  await pool.count('evm', 1);
  await pool.count('STELLAR', 100);
  take();
  const takeAddress = createTakeAddress(dynamo, 'addressPool', clock);
  const owner = { operationId: OPERATION, clientId: CLIENT, userId: USER };
  await takeAddress(owner, { pool: 'evm', network: 'ETHEREUM' }, async () => false);
  await takeAddress({ ...owner, operationId: CLIENT }, { pool: 'STELLAR', network: 'STELLAR' });

  const limits = createProviderLimits({ dynamo, table: 'providerLimits', clock }, 'fireblocks#reader');
  await limits.recordRefusal(await limits.readPause());
  await limits.take('CALLS', 10);

  const banks = createRuledBanks(dynamo, 'parameters');
  const now = clock.now().toISOString();
  await banks.list({ id: 'banco-1', code: '1', name: 'Banco 1', rail: 'wompi' });
  await banks.miss('banco-1', now);
  await banks.saveRefresh('wompi', { readAt: now, nextRunAt: now });
  take();
  await banks.end('banco-1');

  const onboarding = createClientOnboarding(dynamo, 'clients', clock);
  await onboarding.create(CLIENT, demoProfile('new', CLIENT), 'a'.repeat(64));
  take();
  await onboarding.replaceSetting({ clientId: CLIENT }, 'dailyLimits', { offRamps: 1, payIns: 1, reports: 1 });
  const seen = { secretDigests: ['a'.repeat(64)] };
  const secrets = { secretDigests: ['b'.repeat(64), 'a'.repeat(64)], previousSecretUntil: now };
  await onboarding.replaceSecrets(CLIENT, seen, secrets);

  const tables = { users: 'users', wallets: 'wallets' };
  const users = createUserOnboarding(dynamo, tables);
  const payer = { fullName: 'Payer', email: 'payer@example.com', documentType: 'CC', documentNumber: '1020304050' };
  const wallet = { walletId: OPERATION, userId: USER, network: 'ETHEREUM', address: `0x${'2b'.repeat(20)}` } as const;
  await users.add({ userId: USER, clientId: CLIENT, phone: '3001234567', payer });
  await users.declareWallet(wallet);
  const erasure = createUserErasure(dynamo, tables);
  const closed = await erasure.close(USER, now);
  take();
  await erasure.erase(closed, [wallet.walletId], clock.now(), 1825);
  take();
  return written;
}
