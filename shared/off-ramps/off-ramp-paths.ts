import * as z from 'zod/mini';
import { id } from '#shared/platform/http/fields.ts';

/* Apart from the contracts, so that a function bundles no other route than its own. */

export const OFF_RAMPS_PATH = '/api/v1/admin/operation/{user_id}/withdrawal';

export const ofUser = z.object({ user_id: id });
export const ofOperation = z.extend(ofUser, { operation_id: id });
