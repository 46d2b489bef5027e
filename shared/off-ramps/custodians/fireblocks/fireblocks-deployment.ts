import type { FireblocksSetting } from './fireblocks-settings.ts';

export const SIGNATURE_HEADER = 'fireblocks-webhook-signature';

/** What the stack gives functions, by the members of Fireblocks' adapter that they ask. */
export function fireblocksCustodian(fireblocks: FireblocksSetting) {
  const environment = { FIREBLOCKS: JSON.stringify(fireblocks) };
  const reader = {
    environment,
    secrets: ['FIREBLOCKS_READER'],
    tables: { providerLimits: ['GetItem', 'UpdateItem', 'DeleteItem'] },
  } as const;
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
      assignDepositAddress: {},
    },
  } as const;
}
