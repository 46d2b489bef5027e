import * as z from 'zod/mini';

/**
 * A transfer's state at the custodian, by its own rule (decisions.md 12, Finality): CONFIRMED is final, and nothing else
 * credits it. Of a completed transfer whose screening has neither ended nor been bypassed it is UNCONFIRMED. GONE is one
 * that was seen in a block and that the final chain does not have; only an adapter that can know this says so.
 */
export const transferState = z.enum(['UNCONFIRMED', 'CONFIRMED', 'FAILED', 'HELD', 'GONE']);
