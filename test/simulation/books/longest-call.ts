/** Milliseconds: the longest time between a call's reading of its clock and its write. */
export const LONGEST_CALL = 30_000;
