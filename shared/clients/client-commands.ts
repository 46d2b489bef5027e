import * as z from 'zod/mini';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { command } from '#shared/platform/http/command.ts';
import { id, instant } from '#shared/platform/http/fields.ts';
import { personal } from '#shared/platform/http/personal.ts';
import { clientAnswer, contact, person } from './client-contract.ts';
import { comparableNumber } from './client-onboarding.ts';
import { dailyLimits, stageLimits } from './daily-allowances.ts';

const name = z.string().check(z.trim(), z.minLength(1), z.maxLength(255));

const httpDateOf = (text: string) => new Date(text).toUTCString();

const newContact = z.strictObject(z.omit(contact, { personId: true, registerDate: true }).shape);

/** A profile as an operator writes it (interface 2.1 to 2.3): the service adds ids and times of registration. */
export const newProfile = z.strictObject({
  ...z.omit(clientAnswer, { id: true, complianceStatus: true, status: true, person: true }).shape,
  tradeName: name,
  constitutionDate: clientAnswer.shape.constitutionDate.check(({ value, issues }) => {
    // No command corrects the date, and programs refuse one that does not exist or has the wrong day of the week.
    if (issues.length > 0 || httpDateOf(value) === value) return;
    const message = 'must be a date that exists, with its correct day of the week';
    issues.push({ code: 'invalid_format', format: 'regex', path: [], input: value, message });
  }),
  person: personal(
    z
      .strictObject({
        ...z.omit(person, { id: true, registerDate: true, contactsData: true }).shape,
        businessName: name,
        contactsData: z.array(newContact).check(z.maxLength(20)),
      })
      .check(({ value, issues }) => {
        if (value.identificationNro.length <= 64 && comparableNumber(value) !== '') return;
        const message = 'must have digits or letters, and at most 64 characters';
        issues.push({ code: 'invalid_format', format: 'regex', path: ['identificationNro'], input: '', message });
      }),
  ),
});

export const createClientContract = command({
  name: 'create-client',
  subject: ['clientId'],
  summary: 'Creates a client, which may change nothing until it is approved, and shows its secret once.',
  input: newProfile,
  answer: z.object({ clientId: id, clientSecret: z.string() }),
  errors: [apiErrors.SERVICE_UNAVAILABLE],
});

export const clientInput = z.strictObject({ clientId: id });

/** The client, and the id of the published event. */
const published = z.object({ clientId: id, eventId: z.string() });

export const approveClientContract = command({
  name: 'approve-client',
  subject: ['clientId'],
  summary: 'Lets a client operate, as compliance does.',
  input: clientInput,
  answer: published,
  errors: [apiErrors.NOT_FOUND, apiErrors.SERVICE_UNAVAILABLE],
});

export const suspendClientContract = command({
  name: 'suspend-client',
  subject: ['clientId'],
  summary: 'Stops all changes of a client, as compliance does; its open orders go on.',
  input: clientInput,
  answer: published,
  errors: [apiErrors.NOT_FOUND, apiErrors.SERVICE_UNAVAILABLE],
});

export const rotateSecretContract = command({
  name: 'rotate-secret',
  subject: ['clientId'],
  summary:
    'Creates a new secret for a client and shows it once; the previous one is valid for 24 more hours, or ends now if it has leaked.',
  input: z.extend(clientInput, {
    /** Ends all other secrets at once. */
    now: z.optional(z.literal(true)),
  }),
  answer: z.object({ clientId: id, clientSecret: z.string(), previousSecretUntil: z.optional(instant) }),
  errors: [apiErrors.NOT_FOUND, apiErrors.SERVICE_UNAVAILABLE],
});

export const endPreviousSecretContract = command({
  name: 'end-previous-secret',
  subject: ['clientId'],
  summary: 'Ends the secret before the newest one now instead of after its 24 hours: the client uses the newest.',
  input: clientInput,
  answer: z.extend(clientInput, { liveSecrets: z.int() }),
  errors: [apiErrors.NOT_FOUND, apiErrors.SERVICE_UNAVAILABLE],
});

export const setLimitsContract = command({
  name: 'set-limits',
  subject: ['clientId'],
  summary: 'Gives a client other daily limits than its stage, from its next call on.',
  input: z.extend(clientInput, dailyLimits.shape),
  answer: z.extend(clientInput, stageLimits.shape),
  errors: [apiErrors.NOT_FOUND, apiErrors.SERVICE_UNAVAILABLE],
});

/** Certificates of a client, at most: enough for one in use, its successor, and a reserve. */
export const MOST_CERTIFICATES = 10;

const certificate = {
  /** As the access log writes it: `CN=api.client.example,O=Client,C=CO`. */
  input: z.strictObject({ clientId: id, subject: z.string().check(z.trim(), z.minLength(3), z.maxLength(1024)) }),
  answer: z.object({ clientId: id, certificateSubjects: z.array(z.string()) }),
  errors: [apiErrors.NOT_FOUND, apiErrors.SERVICE_UNAVAILABLE],
} as const;

export const declareCertificateContract = command({
  name: 'declare-certificate',
  subject: ['clientId'],
  summary: "Names the subject of a client's certificate: from then on the client needs one of its named certificates.",
  ...certificate,
});

export const withdrawCertificateContract = command({
  name: 'withdraw-certificate',
  subject: ['clientId'],
  summary: 'Takes the subject of a certificate back; without any left, every accepted certificate is valid again.',
  ...certificate,
});
