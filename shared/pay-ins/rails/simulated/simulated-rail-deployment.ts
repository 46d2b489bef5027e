export const RAIL_SIGNATURE_HEADER = 'rail-signature';

/** What a function needs from the stack for each member of the simulated rail that it calls. */
export const simulatedRail = {
  name: 'simulated',
  isSimulated: true,
  signatureHeader: RAIL_SIGNATURE_HEADER,
  members: {
    order: { tables: { simulatedPayments: ['GetItem', 'PutItem'] } },
    find: { tables: { simulatedPayments: ['GetItem'] } },
    listPayments: { tables: { simulatedPayments: ['Query:byDay', 'BatchGetItem'] } },
    readNotification: { verifiesWith: { RAIL_KEY_ID: 'simulatedRail' } },
  },
} as const;
