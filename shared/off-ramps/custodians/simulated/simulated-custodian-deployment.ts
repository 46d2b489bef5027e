export const SIGNATURE_HEADER = 'custodian-signature';

const transactions = { tables: { simulatedTransactions: ['GetItem'] } } as const;

/** What the stack gives functions, by the members of the simulated custodian that they ask. */
export const simulatedCustodian = {
  name: 'simulated',
  isSimulated: true,
  hasAddressPerOperation: true,
  signatureHeader: SIGNATURE_HEADER,
  members: {
    findTransfers: transactions,
    findTransfer: transactions,
    listTransfers: { tables: { simulatedTransactions: ['Query:byCreation', 'GetItem'] } },
    readNotification: { verifiesWith: { CUSTODIAN_KEY_ID: 'simulatedCustodian' } },
    assignDepositAddress: {},
  },
} as const;
