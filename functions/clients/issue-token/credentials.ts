import { issueTokenContract } from '#shared/clients/access-token-contract.ts';
import { ApiError, type FieldError } from '#shared/platform/http/api-error.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { type HttpRequest, mediaType, parseJsonBody, refuseTooLarge } from '#shared/platform/http/event.ts';
import { fieldErrors } from '#shared/platform/http/validation.ts';

export interface Credentials {
  readonly client_id: string;
  readonly client_secret: string;
}

/** Bytes. */
const LARGEST_FORM = 8 * 1024;
const FORM = 'application/x-www-form-urlencoded';

/**
 * The client's credentials from a JSON body, a form or HTTP Basic (RFC 6749 §2.3.1). Basic wins over the body, whose
 * grant type still counts.
 */
export function readCredentials(request: Pick<HttpRequest, 'headers'>, bytes: Buffer): Credentials {
  const fields = mediaType(request) === FORM ? readForm(bytes) : parseJsonBody(request, bytes);
  const basic = readBasic(request.headers.get('authorization') ?? '');
  const given = basic === undefined ? fields : { ...asObject(fields), ...basic };
  const parsed = issueTokenContract.body.safeParse(given, { reportInput: true });
  if (!parsed.success) throw apiErrorOf(fieldErrors(parsed.error, 'body'));
  return parsed.data;
}

/** OAuth errors have no list of fields, so the text names the invalid one. */
function apiErrorOf(errors: readonly FieldError[]): ApiError {
  if (errors.some(({ path }) => path === 'body.grant_type')) return new ApiError(apiErrors.UNSUPPORTED_GRANT_TYPE);
  return new ApiError(apiErrors.INVALID_REQUEST, {
    detail: errors.map(({ path, message }) => `${path} ${message}`).join('; '),
  });
}

function readForm(bytes: Buffer): Record<string, string> {
  const form = new URLSearchParams(refuseTooLarge(LARGEST_FORM, bytes).toString('utf8'));
  const names = [...form.keys()].toSorted();
  const repeated = names.find((name, index) => name === names[index + 1]);
  if (repeated !== undefined) {
    throw new ApiError(apiErrors.INVALID_REQUEST, { detail: `body.${repeated} must be given once` });
  }
  return Object.fromEntries(form);
}

function readBasic(header: string): Credentials | undefined {
  const [, encoded] = /^Basic ([A-Za-z0-9+/]+={0,2})$/i.exec(header) ?? [];
  if (encoded === undefined) return undefined;
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? [];
  if (id === undefined || secret === undefined) throw new ApiError(apiErrors.INVALID_CLIENT);
  return { client_id: formDecoded(id), client_secret: formDecoded(secret) };
}

/** RFC 6749 form-encodes both halves before they are joined. */
function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new ApiError(apiErrors.INVALID_CLIENT);
  }
}

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}
