import type { FireblocksSetting } from './fireblocks-settings.ts';

export const SIGNATURE_HEADER = 'fireblocks-webhook-signature';

const addressPool = ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'] as const;

/** What the stack gives functions, by the members of Fireblocks' adapter that they ask. */
export function fireblocksCustodian(fireblocks: FireblocksSetting) {
  const environment = { FIREBLOCKS: JSON.stringify(fireblocks) };
  const tables = { providerLimits: ['GetItem', 'UpdateItem', 'DeleteItem'] } as const;
  const reader = { environment, secrets: ['FIREBLOCKS_READER'], tables } as const;
  const filling = (secret: string) => ({ environment, secrets: [secret], tables: { ...tables, addressPool } });
  return {
    name: 'fireblocks',
    isSimulated: false,
    hasAddressPerOperation: true,
    signatureHeader: SIGNATURE_HEADER,
    members: {
      findTransfers: reader,
      findTransfer: reader,
      listTransfers: reader,
      readNotification: { environment },
      assignDepositAddress: { tables: { addressPool } },
      fillAddressPool: filling('FIREBLOCKS_ADDRESSES'),
      ...(fireblocks.networks.STELLAR !== undefined && { fillTagPool: filling('FIREBLOCKS_TAGS') }),
    },
  } as const;
}
