import * as z from 'zod/mini';
import { command, lookup } from '#shared/platform/http/command.ts';
import { id, instant } from '#shared/platform/http/fields.ts';
import { clientAnswer, contact, person } from './client-contract.ts';

/** A profile as an operator writes it (interface 2.1 to 2.3): ids and times of registration are the service's. */
export const newProfile = z.extend(
  z.omit(clientAnswer, { id: true, complianceStatus: true, status: true, person: true }),
  {
    person: z.extend(z.omit(person, { id: true, registerDate: true, contactsData: true }), {
      contactsData: z.array(z.omit(contact, { personId: true, registerDate: true })).check(z.maxLength(20)),
    }),
  },
);

export const createClient = command({
  name: 'create-client',
  summary: 'Creates a client, which may do nothing until it is approved, and shows its secret once.',
  input: newProfile,
  answer: z.object({ clientId: id, clientSecret: z.string() }),
  errors: ['SERVICE_UNAVAILABLE'],
});

const ofClient = z.object({ clientId: id });

export const approveClient = command({
  name: 'approve-client',
  summary: 'Lets a client operate, as compliance does.',
  input: ofClient,
  answer: ofClient,
  errors: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
});

export const suspendClient = command({
  name: 'suspend-client',
  summary: 'Keeps a client from changing anything, as compliance does; what it has begun goes on.',
  input: ofClient,
  answer: ofClient,
  errors: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
});

export const rotateSecret = command({
  name: 'rotate-secret',
  summary: 'Makes a new secret for a client and shows it once; the one before is good for 24 more hours.',
  input: ofClient,
  answer: z.object({ clientId: id, clientSecret: z.string(), previousSecretUntil: instant }),
  errors: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
});

export const readClient = lookup({
  name: 'client',
  summary: 'A client: its profile, its approval, and how many secrets it has.',
  query: ofClient,
  answer: z.extend(clientAnswer, {
    liveSecrets: z.int(),
    /** Until when the secret before the newest is good; absent when there is none. */
    previousSecretUntil: z.optional(instant),
  }),
  errors: ['NOT_FOUND'],
});
