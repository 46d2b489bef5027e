/** The longest that SQS holds a message back, in seconds. */
export const LONGEST_DELAY = 900;
