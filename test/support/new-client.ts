import { randomInt } from 'node:crypto';
import { newClientExample } from '#infra/clients/new-client-example.ts';

/** A client that does not exist yet, as operators write it. */
export function newClient(identificationNro = `7${randomInt(1e8)}`) {
  return { ...newClientExample, person: { ...newClientExample.person, identificationNro } };
}
