import { noParameter } from '#shared/operators/no-parameter.ts';
import { createDeactivations } from '#shared/parameters/deactivations.ts';
import * as parameterCommands from '#shared/parameters/parameter-commands.ts';
import type { ParameterKind } from '#shared/parameters/parameter-store.ts';
import { invalid } from '#shared/platform/http/api-error.ts';
import type { Changes } from './dependencies.ts';

/** Of banks and tokens. */
export const parameterChanges: Changes = (underAudit, { dynamo, tables, clock }) => {
  const deactivations = createDeactivations(dynamo, tables.parameters);

  async function deactivate(kind: ParameterKind, id: string): Promise<void> {
    if (!(await deactivations.deactivate(kind, id, clock.now().toISOString()))) throw noParameter(kind);
  }

  async function activate(kind: ParameterKind, id: string, path: string): Promise<void> {
    const outcome = await deactivations.activate(kind, id);
    if (outcome === 'UNKNOWN') throw noParameter(kind);
    if (outcome === 'ACTIVE') return;
    const message = 'is not active in infra/parameters of the stage: activate it there, deploy, and ask again';
    throw invalid({ path, code: 'INACTIVE_IN_FILES', message });
  }

  return [
    underAudit(parameterCommands.deactivateBank, async ({ bankId }) => {
      await deactivate('BANK', bankId);
      return { body: { bankId }, ids: { bankId } };
    }),
    underAudit(parameterCommands.activateBank, async ({ bankId }) => {
      await activate('BANK', bankId, 'body.arguments.bankId');
      return { body: { bankId }, ids: { bankId } };
    }),
    underAudit(parameterCommands.deactivateToken, async ({ tokenId }) => {
      await deactivate('TOKEN', tokenId);
      return { body: { tokenId }, ids: { tokenId } };
    }),
    underAudit(parameterCommands.activateToken, async ({ tokenId }) => {
      await activate('TOKEN', tokenId, 'body.arguments.tokenId');
      return { body: { tokenId }, ids: { tokenId } };
    }),
  ];
};
