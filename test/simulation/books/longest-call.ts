/** Milliseconds: a call may write so long after it looked at its clock. */
export const LONGEST_CALL = 30_000;
