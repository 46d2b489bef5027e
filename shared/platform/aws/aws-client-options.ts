/**
 * Set where all of AWS and fifty functions share one machine: there the functions wait for each other and not for AWS.
 */
const factor = Number(process.env['AWS_TIME_LIMIT_FACTOR'] ?? 1);

/** Milliseconds until the connection is open; AWS is in the same region. */
const CONNECT = 1000 * factor;

/**
 * Milliseconds until the answer begins, and between two parts of it. AWS answers the calls of the functions in a tenth
 * of that; no function holds a call open to wait for something.
 */
const ANSWER = 3000 * factor;

/**
 * The options of every client of AWS. Without them the SDK waits for as long as a connection is open, and a dead
 * connection holds its function until the function is stopped. With them the call fails and the SDK retries: three
 * tries, four for DynamoDB. All tries take half of the time that the function of a route has.
 */
export const awsClientOptions = {
  requestHandler: {
    connectionTimeout: CONNECT,
    requestTimeout: ANSWER,
    throwOnRequestTimeout: true,
    socketTimeout: ANSWER,
  },
};
