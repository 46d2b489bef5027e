import type { ParameterLists } from '#shared/parameters/parameter-lists.ts';
import type { ParameterKind, Parameters } from '#shared/parameters/parameter-store.ts';

/**
 * Replaces the lists in the table. New entries are written before old ones are removed, so that a reader always finds
 * at least the ids of the old or of the new list. A repeat changes nothing. A list of banks that a rail rules is left as
 * it is, unless it is empty.
 */
export function loadParameters(parameters: Parameters) {
  return async ({ banks, tokens, seedsBanks = false }: ParameterLists): Promise<void> => {
    const isRuled = seedsBanks && (await parameters.ids('BANK')).length > 0;
    if (!isRuled) await replace(parameters, 'BANK', new Map(banks.map((bank) => [bank.id, bank])));
    await replace(parameters, 'TOKEN', new Map(tokens.map((token) => [String(token.tokenId), token])));
  };
}

async function replace(
  { ids, put, remove }: Parameters,
  kind: ParameterKind,
  wanted: ReadonlyMap<string, Readonly<Record<string, unknown>>>,
): Promise<void> {
  await Promise.all([...wanted].map(([id, parameter]) => put(kind, id, parameter)));
  const surplus = (await ids(kind)).filter((id) => !wanted.has(id));
  await Promise.all(surplus.map((id) => remove(kind, id)));
}
