export const SIGNATURE_HEADER = 'custodian-signature';

/** What the stack grants functions that use the simulated custodian: its tables, by use, and its key. */
export const simulatedCustodian = {
  name: 'simulated',
  isSimulated: true,
  hasAddressPerOperation: true,
  tables: { findTransfers: { simulatedTransactions: ['GetItem'] } },
  signatureHeader: SIGNATURE_HEADER,
  notificationKey: 'simulatedCustodian',
} as const;
