/** Every adapter that can stand for the payment rail, of which a stage names one. */
export const paymentRailNames = ['simulated'] as const;

export type PaymentRailName = (typeof paymentRailNames)[number];
