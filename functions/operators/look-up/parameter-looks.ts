import { noParameter } from '#shared/operators/no-parameter.ts';
import * as parameterLookup from '#shared/operators/parameter-lookup.ts';
import { createFindParameters } from '#shared/parameters/parameter-store.ts';
import type { Look, LookedUp } from './common/looks.ts';

export function parameterLooks(look: Look, { dynamo, tables, listChanges }: LookedUp<'parameters'>) {
  const { findBank, findToken } = createFindParameters(dynamo, tables.parameters);
  return [
    look(parameterLookup.readBankContract, async ({ query }) => {
      const { bankId } = query();
      const [found, changes] = await Promise.all([findBank(bankId), listChanges(bankId)]);
      if (found === undefined) throw noParameter('BANK');
      return { body: { ...found, bankId, isListed: found.active, changes }, ids: { bankId } };
    }),
    look(parameterLookup.readTokenContract, async ({ query }) => {
      const { tokenId } = query();
      const [found, changes] = await Promise.all([findToken(tokenId), listChanges(tokenId)]);
      if (found === undefined) throw noParameter('TOKEN');
      return { body: { ...found, tokenId, isListed: found.active, changes }, ids: { tokenId } };
    }),
  ];
}
