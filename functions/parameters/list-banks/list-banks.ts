import type * as z from 'zod/mini';
import {
  bankAnswer,
  type listBanksContract as listBanksAsAnyone,
  type listBanksAsClientContract,
} from '#shared/parameters/parameter-contract.ts';
import type { Bank } from '#shared/parameters/parameter-lists.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';

type BankAnswer = z.infer<typeof bankAnswer>;
type ListBanks = UseCase<typeof listBanksAsAnyone> & UseCase<typeof listBanksAsClientContract>;

/** The active banks in the order of their names. */
export function listBanks(banks: () => Promise<readonly Bank[]>): ListBanks {
  return async ({ query }) => {
    query();
    const active = (await banks()).filter((bank) => bank.active);
    const sorted = active.toSorted((one, other) => one.name.localeCompare(other.name, 'es'));
    return { body: sorted.map((bank) => bankAnswer.parse({ ...bank, status: 'true' } satisfies BankAnswer)) };
  };
}
