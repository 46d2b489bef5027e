/** Where all of AWS and fifty functions share one machine, which is said here, they wait for each other and not for AWS. */
const factor = Number(process.env['AWS_TIME_LIMIT_FACTOR'] ?? 1);

/** Milliseconds until the connection stands; AWS is in the same region. */
const CONNECT = 1000 * factor;

/**
 * Milliseconds until the answer begins, and between two parts of it. What functions ask of AWS is answered in a tenth of
 * that; none of them holds a call open to wait for something.
 */
const ANSWER = 3000 * factor;

/**
 * The options of every client of AWS. Without them the SDK waits for as long as a connection stands, and one that has
 * died without a word holds its function until that is stopped. With them the call fails, and the SDK makes it again: it
 * tries three times, DynamoDB four times, which is half of the time that the function of a route has.
 */
export const awsClientOptions = {
  requestHandler: {
    connectionTimeout: CONNECT,
    requestTimeout: ANSWER,
    throwOnRequestTimeout: true,
    socketTimeout: ANSWER,
  },
};
