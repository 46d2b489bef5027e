import type { FireblocksSetting } from './fireblocks-settings.ts';

export const SIGNATURE_HEADER = 'fireblocks-webhook-signature';

const addressPool = ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'] as const;

/**
 * What the stack grants to functions, by the members of Fireblocks' adapter that they call.
 *
 * @param sends true if Fireblocks sends the returns of a network, and not a person
 */
export function fireblocksCustodian(fireblocks: FireblocksSetting, sends = false) {
  const environment = { FIREBLOCKS: JSON.stringify(fireblocks) };
  const tables = { providerLimits: ['GetItem', 'UpdateItem', 'DeleteItem'] } as const;
  const reader = { environment, secrets: ['FIREBLOCKS_READER'], tables } as const;
  const sender = { environment, secrets: ['FIREBLOCKS_SENDER'], tables } as const;
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
      findOutgoing: reader,
      listMovements: reader,
      readBalances: reader,
      ...(sends && { send: sender, findSending: sender }),
      readNotification: { environment },
      assignDepositAddress: { tables: { addressPool } },
      fillAddressPool: filling('FIREBLOCKS_ADDRESSES'),
      ...(fireblocks.networks.STELLAR !== undefined && { fillTagPool: filling('FIREBLOCKS_TAGS') }),
    },
  } as const;
}
