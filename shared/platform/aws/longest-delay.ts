/** The longest delay of a message in SQS, in seconds. */
export const LONGEST_DELAY = 900;
