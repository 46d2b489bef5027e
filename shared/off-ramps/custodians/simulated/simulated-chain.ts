/** Transfers that one transaction of the simulated chain holds at most; the first is number 0. */
export const MOST_TRANSFERS = 10;
