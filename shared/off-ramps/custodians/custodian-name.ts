/** Every adapter that can stand for the custodian, of which a stage names one. */
export const custodianNames = ['simulated'] as const;

export type CustodianName = (typeof custodianNames)[number];
