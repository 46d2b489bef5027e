import type * as z from 'zod/mini';
import type { createClientContract, newProfile } from '#shared/clients/client-commands.ts';
import type { CreateClientKey } from '#shared/clients/client-keys.ts';
import type { ClientOnboarding } from '#shared/clients/client-onboarding.ts';
import { secretDigest } from '#shared/clients/client-secrets.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { invalid } from '#shared/platform/http/api-error.ts';
import type { Change } from '#shared/platform/operators/audited.ts';

interface Dependencies {
  readonly clients: Pick<ClientOnboarding, 'create' | 'findIdentified'>;
  readonly createKey: CreateClientKey;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly newSecret: () => string;
}

/** Creates a client that is not approved yet. Only this answer has its secret: the record has a digest of it. */
export function createClient({
  clients,
  createKey,
  clock,
  newId,
  newSecret,
}: Dependencies): Change<typeof createClientContract> {
  /** The claim keeps the number unique. This look-up names the holder, and avoids a useless key. */
  async function refuseKnown(person: z.infer<typeof newProfile>['person']): Promise<void> {
    const holder = await clients.findIdentified(person);
    if (holder === undefined) return;
    const message = `belongs to the client ${holder}: if the answer of its creation was lost, rotate-secret shows another secret`;
    throw invalid({ path: 'body.arguments.person.identificationNro', code: 'ALREADY_REGISTERED', message });
  }

  return async (profile) => {
    await refuseKnown(profile.person);
    const clientId = newId();
    const clientSecret = newSecret();
    // The key comes first: a key without a client does no harm, but a client without a key can call nothing.
    await createKey(clientId);
    const record = registered(profile, clientId, clock.now());
    if (!(await clients.create(clientId, record, secretDigest(clientSecret)))) {
      await refuseKnown(profile.person);
      throw new Error('Another client has the identification number, but none is found by it.');
    }
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
