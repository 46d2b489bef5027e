import * as z from 'zod/mini';
import { documentEvent, event, sequence } from '#shared/events/event-envelope.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { contract } from '#shared/platform/http/contract.ts';
import { documentObject } from '#shared/platform/http/document.ts';
import { id, noBody, noPathParameters, noQuery } from '#shared/platform/http/fields.ts';

/** Interface 2.2: `2024-05-17 14:03:22.123456`. */
const registerDate = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d{6}$/));

/** Interface 2.1: HTTP-date style, `Fri, 17 May 2024 00:00:00 GMT`. */
const httpDate = z
  .string()
  .check(
    z.regex(
      /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
      'must be a date as HTTP writes it, like Thu, 15 Mar 2018 00:00:00 GMT',
    ),
  );

/** Interface 2.3. */
export const contact = z.object({
  personId: id,
  dataTypeContact: z.string(),
  dataValue: z.string(),
  isVerified: z.boolean(),
  city: z.nullable(z.string()),
  postalCode: z.nullable(z.string()),
  registerDate,
});

documentObject('Contact', contact, 'A way to reach a person.', {
  personId: 'The person that this contact belongs to.',
  dataTypeContact: 'What kind of contact it is: `phone` or `email` today, others may follow.',
  dataValue: 'The phone number or the e-mail address.',
  isVerified: 'Whether the contact has been verified.',
  city: 'City of the contact; null when it is not known.',
  postalCode: 'Postal code of the contact; null when it is not known.',
  registerDate: 'When the contact was registered, in UTC: `YYYY-MM-DD HH:MM:SS.ffffff`.',
});

/** Interface 2.2. */
export const person = z.object({
  id,
  businessName: z.string(),
  firstName: z.string(),
  middleName: z.nullable(z.string()),
  firstSurname: z.nullable(z.string()),
  lastName: z.string(),
  identificationType: z.string(),
  identificationNro: z.string(),
  verificateDigit: z.int(),
  isJuridic: z.boolean(),
  nationality: z.nullable(z.string()),
  pep: z.nullable(z.boolean()),
  registerDate,
  contactsData: z.array(contact),
});

documentObject('Person', person, 'The registered profile of the client.', {
  id: 'Id of the person, which equals the id of the client.',
  businessName: 'Registered name of the business.',
  firstName: 'First name, or the name of the business.',
  middleName: 'Middle name; null if there is none.',
  firstSurname: 'First surname; null if there is none.',
  lastName: 'Last name. It may be empty.',
  identificationType: 'Kind of the identification document, for example `NIT`.',
  identificationNro: 'Number of the identification document, without its check digit.',
  verificateDigit: 'Check digit of the identification number.',
  isJuridic: 'True for a legal entity, false for a natural person.',
  nationality: 'Nationality; null when it is not known.',
  pep: 'Whether the person is politically exposed; null when that is not known.',
  registerDate: 'When the person was registered, in UTC: `YYYY-MM-DD HH:MM:SS.ffffff`.',
  contactsData: 'How the person can be reached.',
});

/** Interface 2.1. */
export const clientAnswer = z.object({
  id,
  clientType: z.string(),
  complianceStatus: z.string(),
  status: z.string(),
  tradeName: z.string(),
  constitutionCity: z.string(),
  constitutionState: z.string(),
  constitutionCountryId: z.int(),
  constitutionDate: httpDate,
  person,
});

export type ClientProfile = z.infer<typeof clientAnswer>;

documentObject('ClientProfile', clientAnswer, 'The calling client: its profile and whether it may operate.', {
  id: "The client's id: `client_id` of its credentials and `clientId` of its webhooks' paths.",
  clientType: 'How the client uses the service. `b2b`: it places orders for its own wallets and accounts.',
  complianceStatus: 'Result of onboarding and compliance review. A client operates only while this is `approved`.',
  status: 'Whether the client is ready to operate. A client operates only while this is `approved`, too.',
  tradeName: 'Name under which the client trades.',
  constitutionCity: 'City in which the client was constituted.',
  constitutionState: 'State or department in which the client was constituted.',
  constitutionCountryId: 'Number of the country in which the client was constituted.',
  constitutionDate: 'Day on which the client was constituted, written like an HTTP date.',
  person: 'The registered profile.',
});

export const getClientInfoContract = contract({
  name: 'get-client-info',
  method: 'GET',
  path: '/api/infoClient',
  summary: "Read the client's own profile and approval status",
  access: 'client',
  pathParameters: noPathParameters,
  unknownPath: apiErrors.NOT_FOUND,
  query: noQuery,
  body: noBody,
  success: { status: 200, body: clientAnswer },
  errors: [apiErrors.UNAUTHORIZED],
});

/** The client's approval changed: the result of its compliance review, or whether it is ready to operate. */
export const clientStatusChanged = event(
  'compliance.client.status_changed',
  z.object({
    clientId: id,
    status: z.string(),
    previousStatus: z.nullable(z.string()),
    sequence,
  }),
);

documentEvent('ClientStatusChanged', clientStatusChanged, 'The approval of the client changed.', {
  clientId: 'The client.',
  status:
    'The approval: `approved`, or what withholds it, which is the complianceStatus of the profile, or its status once that is approved. The client may operate only while this is `approved`.',
  previousStatus: 'The same before; null when there was none.',
  sequence:
    'Grows with every change of the client. An event with a smaller sequence than a known one of its type is out of date.',
});
