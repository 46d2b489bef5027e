import { inject } from 'vitest';
import { assumeLocally } from '#infra/cli/assume-locally.ts';
import { serviceAt } from '#infra/cli/find-service.ts';
import { awsOf } from '#infra/cli/local-outputs.ts';
import { call } from '#infra/cli/service.ts';
import type { Contract } from '#shared/platform/http/contract.ts';

/** Calls an operators' route: a change with its reason, or a look-up. @param as the person; by default the root */
export async function operate(
  contract: Contract,
  input: Readonly<Record<string, unknown>>,
  reason = 'For a test',
  as?: string,
) {
  const [url, aws] = [inject('stack')['OperatorsApiUrl'] ?? '', awsOf(inject('outputs'))];
  const root = serviceAt(url, 'the deployed stack', aws);
  const service = as === undefined ? root : serviceAt(url, root.name, await assumeLocally(aws, root.signing, as));
  const query = Object.fromEntries(Object.entries(input).map(([name, value]) => [name, String(value)]));
  const answer = await call(
    service,
    contract,
    contract.method === 'GET' ? { query } : { body: { arguments: input, reason } },
  );
  return { status: answer.status, auditId: answer.headers.get('x-audit-id'), body: JSON.parse(await answer.text()) };
}
