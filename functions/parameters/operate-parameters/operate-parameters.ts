import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createDeactivations } from '#shared/parameters/deactivations.ts';
import { noParameter } from '#shared/parameters/no-parameter.ts';
import * as parameterCommands from '#shared/parameters/parameter-commands.ts';
import type { ParameterKind } from '#shared/parameters/parameter-store.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { invalid } from '#shared/platform/http/api-error.ts';
import { createRegisterCommand } from '#shared/platform/operators/audited.ts';
import { type Handler, routeByPath } from '#shared/platform/operators/route-by-path.ts';

interface Dependencies {
  readonly dynamo: DynamoDBDocumentClient;
  readonly tables: Readonly<Record<'audit' | 'parameters', string>>;
  readonly clock: Clock;
  readonly newId: () => string;
}

/** All changes of operators to banks and tokens. */
export function operateParameters({ dynamo, tables, clock, newId }: Dependencies): Handler {
  const registerCommand = createRegisterCommand(dynamo, tables.audit, clock, newId);
  const deactivations = createDeactivations(dynamo, tables.parameters);

  async function deactivate(kind: ParameterKind, id: string): Promise<void> {
    if (!(await deactivations.deactivate(kind, id, clock.now().toISOString()))) throw noParameter(kind);
  }

  async function activate(kind: ParameterKind, id: string, path: string): Promise<void> {
    const outcome = await deactivations.activate(kind, id);
    if (outcome === 'UNKNOWN') throw noParameter(kind);
    if (outcome === 'ACTIVE') return;
    const message =
      'is not active in infra/parameters of the stage: activate it there, deploy, and repeat the command. A bank may be inactive at the rail, too';
    throw invalid({ path, code: 'INACTIVE_IN_FILES', message });
  }

  return routeByPath(
    new Map([
      registerCommand(parameterCommands.deactivateBankContract, async ({ bankId }) => {
        await deactivate('BANK', bankId);
        return { body: { bankId }, ids: { bankId } };
      }),
      registerCommand(parameterCommands.activateBankContract, async ({ bankId }) => {
        await activate('BANK', bankId, 'body.arguments.bankId');
        return { body: { bankId }, ids: { bankId } };
      }),
      registerCommand(parameterCommands.deactivateTokenContract, async ({ tokenId }) => {
        await deactivate('TOKEN', tokenId);
        return { body: { tokenId }, ids: { tokenId } };
      }),
      registerCommand(parameterCommands.activateTokenContract, async ({ tokenId }) => {
        await activate('TOKEN', tokenId, 'body.arguments.tokenId');
        return { body: { tokenId }, ids: { tokenId } };
      }),
    ]),
  );
}
