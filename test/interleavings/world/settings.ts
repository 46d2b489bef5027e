import { RULES } from '#test/support/off-ramp.ts';

/** Seconds: the verification window of a hash that is submitted late. */
export const LATE_WINDOW = 120;

/*
 * Handlers read their settings, and make one call ahead, while they are imported: this module comes before them, and
 * where AWS would be nobody listens. What is simulated is wired again, with the simulation's own clients.
 */
Object.assign(process.env, {
  AWS_ENDPOINT_URL: 'http://127.0.0.1:1',
  AWS_REGION: 'in-memory-1',
  AWS_ACCESS_KEY_ID: 'none',
  AWS_SECRET_ACCESS_KEY: 'none',
  AWS_MAX_ATTEMPTS: '1',
  CLIENTS_TABLE: 'clients',
  DEPOSITS_TABLE: 'deposits',
  EVENTS_TABLE: 'events',
  HASHES_TABLE: 'hashes',
  OPERATIONS_TABLE: 'operations',
  CUSTODIAN: 'simulated',
  SIMULATED_TRANSACTIONS_TABLE: 'simulatedTransactions',
  CUSTODIAN_KEY_ID: 'custodian-key',
  NOTIFIED_TRANSFERS_QUEUE: 'notified-transfers',
  STATE_MACHINE_ARN: 'arn:aws:states:::stateMachine:verification',
  NETWORK_RULES: JSON.stringify(RULES),
  LATE_WINDOW_SECONDS: String(LATE_WINDOW),
});
