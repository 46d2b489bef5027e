import { ApiError } from '#shared/platform/http/api-error.ts';
import { webhookErrors } from './webhook-errors.ts';

export function noWebhook(): ApiError {
  const detail =
    'This client has no webhook with this id. Check both ids and the stage; a removed one cannot be found.';
  return new ApiError(webhookErrors.WEBHOOK_NOT_FOUND, { detail });
}
