export const SIGNATURE_HEADER = 'custodian-signature';

/** What the stack gives to functions that ask the simulated custodian: its tables, by what is asked, and its key. */
export const simulatedCustodian = {
  name: 'simulated',
  isSimulated: true,
  hasAddressPerOperation: true,
  tables: { findTransfers: { simulatedTransactions: ['GetItem'] } },
  signatureHeader: SIGNATURE_HEADER,
  notificationKey: 'simulatedCustodian',
} as const;
