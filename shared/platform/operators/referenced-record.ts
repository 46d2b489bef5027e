import * as z from 'zod/mini';
import { id, instant } from '#shared/platform/http/fields.ts';

/** Another record with the same reference: a client may use a reference twice, and two clients may use the same. */
export const referencedRecord = z.object({ clientId: id, userId: id, status: z.string(), createdAt: instant });
