import { BadSignature } from '#shared/platform/aws/kms.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { ApiError } from './api-error.ts';

/** The content of a provider's notification. @throws {ApiError} UNAUTHORIZED when the provider did not sign it. */
export async function refuseUnsigned<Notified>(provider: string, reading: Promise<Notified>): Promise<Notified> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof BadSignature)) throw error;
    const detail = `The notification is not signed by the ${provider}. Sign the bytes of the body with its key.`;
    throw new ApiError(apiErrors.UNAUTHORIZED, { detail, cause: error });
  }
}
