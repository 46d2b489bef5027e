import * as z from 'zod/mini';
import { id, instant } from '#shared/platform/http/fields.ts';

/** Whatever has a reference that another one has, too: a client may use one twice, and two clients the same. */
export const sameReference = z.object({ clientId: id, userId: id, status: z.string(), createdAt: instant });
