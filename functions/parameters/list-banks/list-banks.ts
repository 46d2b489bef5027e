import type { Bank } from '#shared/parameters/parameter-lists.ts';
import type { listBanks as listBanksAsAnyone, listBanksAsClient } from '#shared/parameters/parameters-contract.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';

type ListBanks = UseCase<typeof listBanksAsAnyone> & UseCase<typeof listBanksAsClient>;

/** The active banks in the order of their names. */
export function listBanks(banks: () => Promise<readonly Bank[]>): ListBanks {
  return async () => {
    const active = (await banks()).filter((bank) => bank.active);
    const sorted = active.toSorted((one, other) => one.name.localeCompare(other.name, 'es'));
    return { body: sorted.map(({ id, code, name }) => ({ id, code, name, status: 'true' })) };
  };
}
