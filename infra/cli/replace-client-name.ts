import { listClientsContract } from '#shared/clients/client-lookups.ts';
import type { Contract } from '#shared/platform/http/contract.ts';
import { id } from '#shared/platform/http/fields.ts';
import type { CommandContext } from './command-context.ts';
import { OpsError } from './ops-error.ts';
import type { Parameters } from './parameters.ts';
import type { CommandLineInput } from './read-input.ts';
import { ask, type Service } from './service.ts';
import { escapeInvisible } from './table.ts';

const FIELDS = ['clientId', 'client'];

/**
 * Replaces a client's name by its id in a look-up, if exactly one client has that name: people who call give their
 * name. @throws {OpsError}
 */
export async function replaceClientName(
  service: Service,
  { method }: Contract,
  { required, optional }: Parameters,
  given: CommandLineInput,
  { say }: Pick<CommandContext, 'say'>,
): Promise<CommandLineInput> {
  if (method !== 'GET') return given;

  async function idOf(field: string, text: unknown) {
    if (!FIELDS.includes(field) || typeof text !== 'string' || id.safeParse(text).success) return text;
    const { body } = await ask(service, listClientsContract, { query: { name: text } });
    const [only, ...others] = listClientsContract.success.body.parse(body).items;
    if (only === undefined) throw new OpsError('refused', `No client has ${JSON.stringify(text)} in its names.`);
    if (others.length > 0) {
      const errors = [only, ...others].map((one) => ({ path: one.clientId, code: 'SEVERAL', message: one.tradeName }));
      throw new OpsError('usage', 'Several clients have that in their names: give the id of one.', { errors });
    }
    say(`${only.clientId}  ${escapeInvisible(only.tradeName)}\n`);
    return only.clientId;
  }

  const values: (string | undefined)[] = [];
  for (const [position, value] of given.values.entries())
    values.push(text(await idOf(required[position]?.field ?? '', value)));
  const options = { ...given.options };
  for (const { field } of optional) options[field] = await idOf(field, options[field]);
  return { ...given, values, options };
}

const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
