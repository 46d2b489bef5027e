import { clientErrors } from '#shared/clients/client-errors.ts';
import { eventErrors } from '#shared/events/event-contract.ts';
import { offRampErrors } from '#shared/off-ramps/contract/off-ramp-contract.ts';
import { payinErrors } from '#shared/pay-ins/pay-in-errors.ts';
import { keysOf } from '#shared/platform/collections.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { webhookErrors } from '#shared/webhooks/contract/webhook-errors.ts';

const ofModules = [clientErrors, offRampErrors, payinErrors, webhookErrors, eventErrors, apiErrors];

/** Every error of the API by its code. */
export const declaredErrors = {
  ...clientErrors,
  ...offRampErrors,
  ...payinErrors,
  ...webhookErrors,
  ...eventErrors,
  ...apiErrors,
};

export type ApiErrorCode = keyof typeof declaredErrors;

/** The codes in the order of publication: by status; within a status, errors that any route may answer come last. */
export const errorCodes: readonly ApiErrorCode[] = keysOf(declaredErrors).toSorted(
  (one, other) => declaredErrors[one].status - declaredErrors[other].status,
);

/** What a code means; two modules may have the same one. */
export function meaningOf(code: ApiErrorCode): string {
  const kinds = ofModules.flatMap((errors) => Object.values(errors).filter((kind) => kind.code === code));
  return `${declaredErrors[code].status}. ${kinds.map(({ detail }) => detail).join(' Or: ')}`;
}
