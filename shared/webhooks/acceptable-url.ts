import { invalid } from '#shared/platform/http/api-error.ts';
import type { GuardTarget } from './ssrf-guard.ts';
import { BlockedUrl } from './webhook-target.ts';

/** Refuses the `url` of a body where a webhook may not point. @throws {ApiError} VALIDATION_FAILED */
export async function refuseUnacceptableUrl(guardUrl: GuardTarget, url: string): Promise<void> {
  try {
    await guardUrl(url);
  } catch (error) {
    if (!(error instanceof BlockedUrl)) throw error;
    throw invalid({ path: 'body.url', code: error.fault, message: error.message });
  }
}
