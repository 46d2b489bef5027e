export const RAIL_SIGNATURE_HEADER = 'rail-signature';

/** What the stack grants functions that use the simulated rail: its tables, by use, and its key. */
export const simulatedRail = {
  name: 'simulated',
  isSimulated: true,
  tables: { find: { simulatedPayments: ['GetItem'] }, order: { simulatedPayments: ['GetItem', 'PutItem'] } },
  signatureHeader: RAIL_SIGNATURE_HEADER,
  notificationKey: 'simulatedRail',
} as const;
