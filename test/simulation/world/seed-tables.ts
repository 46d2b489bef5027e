import { createHash } from 'node:crypto';
import { demoProfile } from '#infra/local/demo-profile.ts';
import type { TableName } from '#infra/stage/table-shapes.ts';
import { directoryEntry } from '#shared/clients/client-directory.ts';
import { parameterLists } from './script/assets.ts';
import type { Script } from './script/script.ts';

/** An item that operators or a deployment put into a table. */
export interface SeedItem {
  readonly table: TableName;
  readonly item: Readonly<Record<string, unknown>>;
}

/** Returns the round's clients, users and wallets, and the lists of banks and tokens. */
export function seedItems({ clients }: Pick<Script, 'clients'>): readonly SeedItem[] {
  return [...parameters, ...clients.flatMap(itemsOf)];
}

const parameters: readonly SeedItem[] = [
  ...parameterLists.banks.map((bank) => ({ table: 'parameters', item: { ...bank, kind: 'BANK' } }) as const),
  ...parameterLists.tokens.map(
    (token) => ({ table: 'parameters', item: { ...token, kind: 'TOKEN', id: String(token.tokenId) } }) as const,
  ),
];

function itemsOf({ clientId, name, secret, users }: Script['clients'][number]): readonly SeedItem[] {
  const secretDigests = [createHash('sha256').update(secret).digest('hex')];
  const profile = demoProfile(name, clientId);
  const approval = { complianceStatus: 'approved', status: 'approved' };
  return [
    { table: 'clients', item: { clientId, ...approval, secretDigests, profile, ...directoryEntry(profile) } },
    ...users.flatMap(({ userId, wallets }) => [
      { table: 'users', item: { userId, clientId, phone: '3001234567', payer: PAYER } } as const,
      ...wallets.map((wallet) => ({ table: 'wallets', item: { ...wallet, userId } }) as const),
    ]),
  ];
}

const PAYER = { fullName: 'Payer', email: 'payer@example.com', documentType: 'CC', documentNumber: '1020304050' };
