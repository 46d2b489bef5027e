import * as z from 'zod/mini';

/**
 * A transfer's state at the custodian, by the custodian's own rule (decisions.md 12, Finality). CONFIRMED is final, and
 * only this state credits a deposit. A completed transfer whose screening has neither ended nor been bypassed is
 * UNCONFIRMED. A GONE transfer was seen in a block, but the final chain does not have it; only an adapter that can know
 * this uses the state.
 */
export const transferState = z.enum(['UNCONFIRMED', 'CONFIRMED', 'FAILED', 'HELD', 'GONE']);
