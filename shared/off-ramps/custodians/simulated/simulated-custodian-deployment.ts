import { createHash } from 'node:crypto';
import { formatAddress, type Network } from '#shared/networks/network.ts';

export const SIGNATURE_HEADER = 'custodian-signature';

const transactions = { tables: { simulatedTransactions: ['GetItem'] } } as const;

/** What the stack grants to functions, by the members of the simulated custodian that they call. */
export const simulatedCustodian = {
  name: 'simulated',
  isSimulated: true,
  hasAddressPerOperation: true,
  signatureHeader: SIGNATURE_HEADER,
  members: {
    findTransfers: transactions,
    findTransfer: transactions,
    send: { tables: { simulatedTransactions: ['GetItem', 'PutItem'] } },
    findSending: transactions,
    findOutgoing: transactions,
    // GetItem reads the outcome that was chosen for an order.
    listMovements: { tables: { simulatedTransactions: ['Query:byCreation', 'BatchGetItem', 'GetItem'] } },
    listTransfers: { tables: { simulatedTransactions: ['Query:byCreation', 'BatchGetItem'] } },
    readNotification: { verifiesWith: { CUSTODIAN_KEY_ID: 'simulatedCustodian' } },
    assignDepositAddress: {},
  },
} as const;

/** The custodian's account on a network, which money leaves: a transaction put as sent from it was sent by hand. */
export function simulatedAccount(network: Network): string {
  return formatAddress(network, createHash('sha256').update(`${network}:account`).digest());
}
