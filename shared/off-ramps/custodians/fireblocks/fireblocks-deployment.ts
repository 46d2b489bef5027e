import type { FireblocksSetting } from './fireblocks-settings.ts';

/** What the stack gives functions, by the members of the adapter that they ask. */
export function fireblocksCustodian(setting: FireblocksSetting) {
  const asUser = (secret: string) =>
    ({
      environment: { FIREBLOCKS: JSON.stringify(setting) },
      secrets: [secret],
      tables: { providerLimits: ['GetItem', 'UpdateItem', 'DeleteItem'] },
    }) as const;
  const filling = (secret: string) => {
    const user = asUser(secret);
    const addressPool = ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'] as const;
    return { ...user, tables: { ...user.tables, addressPool } };
  };
  return {
    name: 'fireblocks',
    isSimulated: false,
    hasAddressPerOperation: true,
    signatureHeader: 'fireblocks-webhook-signature',
    members: {
      findTransfers: asUser('FIREBLOCKS_READER'),
      findTransfer: asUser('FIREBLOCKS_READER'),
      listTransfers: asUser('FIREBLOCKS_READER'),
      readNotification: {},
      assignDepositAddress: { tables: { addressPool: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'] } },
      fillAddressPool: filling('FIREBLOCKS_ADDRESSES'),
      ...(setting.networks.STELLAR !== undefined && { fillTagPool: filling('FIREBLOCKS_TAGS') }),
    },
  } as const;
}
