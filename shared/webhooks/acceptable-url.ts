import { invalid } from '#shared/platform/http/api-error.ts';
import type { GuardTarget } from './ssrf-guard.ts';
import { TargetRefused } from './webhook-target.ts';

/** Refuses the `url` of a body where a webhook may not point. @throws {Refusal} VALIDATION_FAILED */
export async function refuseUnacceptableUrl(guardTarget: GuardTarget, url: string): Promise<void> {
  try {
    await guardTarget(url);
  } catch (error) {
    if (!(error instanceof TargetRefused)) throw error;
    throw invalid({ path: 'body.url', code: error.fault, message: error.message });
  }
}
