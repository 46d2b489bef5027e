import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { noParameter } from '#shared/parameters/no-parameter.ts';
import * as parameterLookup from '#shared/parameters/parameter-lookups.ts';
import { createFindParameters } from '#shared/parameters/parameter-store.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { createListChanges } from '#shared/platform/operators/list-changes.ts';
import { createRegisterLookup, type Handler, routeByPath } from '#shared/platform/operators/route-by-path.ts';

interface Dependencies {
  readonly dynamo: DynamoDBDocumentClient;
  readonly tables: Readonly<Record<'parameters' | 'audit', string>>;
  readonly clock: Clock;
}

/** The operators' lookups of banks and tokens. */
export function lookUpParameters({ dynamo, tables, clock }: Dependencies): Handler {
  const registerLookup = createRegisterLookup(clock);
  const listChanges = createListChanges(dynamo, tables.audit, clock);
  const { findBank, findToken } = createFindParameters(dynamo, tables.parameters);
  return routeByPath(
    new Map([
      registerLookup(parameterLookup.readBankContract, async ({ query }) => {
        const found = await findBank(query().bankId);
        if (found === undefined) throw noParameter('BANK');
        const { id: bankId } = found;
        const changes = await listChanges(bankId);
        return { body: { ...found, bankId, isListed: found.active, changes }, ids: { bankId } };
      }),
      registerLookup(parameterLookup.readTokenContract, async ({ query }) => {
        const { tokenId } = query();
        const [found, changes] = await Promise.all([findToken(tokenId), listChanges(tokenId)]);
        if (found === undefined) throw noParameter('TOKEN');
        return { body: { ...found, tokenId, isListed: found.active, changes }, ids: { tokenId } };
      }),
    ]),
  );
}
