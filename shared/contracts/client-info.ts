import * as z from 'zod/mini';
import { contract } from './contract.ts';
import { id, noBody, noPathParameters, noQuery } from './fields.ts';

/** Interface 2.2: `2024-05-17 14:03:22.123456`. */
const registerDate = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d{6}$/));

/** Interface 2.1: HTTP-date style, `Fri, 17 May 2024 00:00:00 GMT`. */
const httpDate = z.string().check(z.regex(/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/));

/** Interface 2.3. */
export const contact = z.object({
  personId: id,
  /** Observed: `phone`, `email`. */
  dataTypeContact: z.string(),
  dataValue: z.string(),
  isVerified: z.boolean(),
  city: z.nullable(z.string()),
  postalCode: z.nullable(z.string()),
  registerDate,
});

/** Interface 2.2. */
export const person = z.object({
  id,
  businessName: z.string(),
  firstName: z.string(),
  middleName: z.nullable(z.string()),
  firstSurname: z.nullable(z.string()),
  /** May be empty. */
  lastName: z.string(),
  identificationType: z.string(),
  identificationNro: z.string(),
  verificateDigit: z.int(),
  /** True for a legal entity. */
  isJuridic: z.boolean(),
  nationality: z.nullable(z.string()),
  /** Politically exposed person marker. */
  pep: z.nullable(z.union([z.string(), z.boolean()])),
  registerDate,
  contactsData: z.array(contact),
});

/** Interface 2.1. */
export const client = z.object({
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

export const getClientInfo = contract({
  name: 'get-client-info',
  method: 'GET',
  path: '/api/infoClient',
  summary: "Read the client's own profile and approval status",
  access: 'client',
  pathParameters: noPathParameters,
  unknownPath: 'NOT_FOUND',
  query: noQuery,
  body: noBody,
  success: { status: 200, body: client },
  refusals: ['UNAUTHORIZED'],
});
