import type { Subjects } from './subjects.ts';

/** How often a value that exists is taken where there is one. */
const SHARE_OF_KNOWN = 0.7;

/**
 * The service decides by more than a schema can say and ignores fields that it does not know; a wrong method is a
 * wrong route; and what is deactivated stays.
 */
const notChecked = ['positive_data_acceptance', 'negative_data_rejection', 'unsupported_method', 'use_after_free'];

/** The settings of Schemathesis, as TOML, in which texts, numbers and lists are written as in JSON. */
export function fuzzerSettings(baseUrl: string, { credentials, known }: Subjects): string {
  const payload = `{ client_id = "${credentials.clientId}", client_secret = "${credentials.clientSecret}" }`;
  const names = Object.entries(known).map(([place, values]) => ({ place, values, name: place.replace('.', '-') }));
  return [
    `base-url = "${baseUrl}"`,
    'workers = 2',
    'continue-on-failure = true',
    '[auth.dynamic.openapi.bearerAuth]',
    'path = "/api/v1/client/token"',
    `payload = ${payload}`,
    'extract_selector = "/access_token"',
    // An access token lives for five minutes.
    'retry_on = [401]',
    ...notChecked.map((check) => `[checks.${check}]\nenabled = false`),
    ...names.map(({ name, values }) => `[dictionaries.${name}]\nvalues = ${JSON.stringify(values)}`),
    '[parameters]',
    ...names.map(({ place, name }) => `"${place}" = { dictionary = "${name}", probability = ${SHARE_OF_KNOWN} }`),
    '',
  ].join('\n');
}
