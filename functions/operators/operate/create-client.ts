import type * as z from 'zod/mini';
import type { createClient as contract, newProfile } from '#shared/clients/client-commands.ts';
import type { CreateClientKey } from '#shared/clients/client-keys.ts';
import type { ClientOnboarding } from '#shared/clients/client-onboarding-store.ts';
import { digestOf } from '#shared/clients/client-secrets.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { Change } from './audited.ts';

interface Dependencies {
  readonly clients: Pick<ClientOnboarding, 'create'>;
  readonly createKey: CreateClientKey;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly newSecret: () => string;
}

/** A client that is not approved yet. Its secret is in this answer and nowhere else: the record has a digest of it. */
export function createClient({ clients, createKey, clock, newId, newSecret }: Dependencies): Change<typeof contract> {
  return async (profile) => {
    const clientId = newId();
    const clientSecret = newSecret();
    // First, because a key without a client is nothing, and a client without a key can call nothing.
    await createKey(clientId);
    await clients.create(clientId, registered(profile, clientId, clock.now()), digestOf(clientSecret));
    return { body: { clientId, clientSecret }, ids: { clientId } };
  };
}

/** The person of a client has the client's id (interface 2.2). */
function registered(profile: z.infer<typeof newProfile>, personId: string, now: Date) {
  const registerDate = interfaceTime(now);
  const contactsData = profile.person.contactsData.map((contact) => ({ ...contact, personId, registerDate }));
  return { ...profile, person: { ...profile.person, id: personId, registerDate, contactsData } };
}

/** Interface 2.2: `2024-05-17 14:03:22.123456`, in UTC. */
function interfaceTime(now: Date): string {
  return `${now.toISOString().replace('T', ' ').replace('Z', '')}000`;
}
