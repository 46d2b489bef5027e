export const RAIL_SIGNATURE_HEADER = 'rail-signature';

/** What the stack gives to functions that ask the simulated rail: its tables, by what is asked, and its key. */
export const simulatedRail = {
  name: 'simulated',
  isSimulated: true,
  tables: { find: { simulatedPayments: ['GetItem'] }, order: { simulatedPayments: ['GetItem', 'PutItem'] } },
  signatureHeader: RAIL_SIGNATURE_HEADER,
  notificationKey: 'simulatedRail',
} as const;
