import * as z from 'zod/mini';
import { addSandboxUser, createClient, type Operator } from '#infra/cli/new-client.ts';
import type { SmokeTarget } from '#infra/cli/smoke-target.ts';
import { retryUntilKeyKnown } from '#infra/cli/smoke-test.ts';
import { type Call, connect } from '#sdk/connect.ts';
import type { Network } from '#shared/networks/network.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { Measurements } from './measurements.ts';

/** A client of the load test, with all that it needs for an order. */
export interface LoadClient {
  readonly clientId: string;
  readonly call: Call;
  readonly userId: string;
  readonly walletId: string;
  /** The address of the wallet. */
  readonly from: string;
  readonly token: { readonly id: number; readonly token: string };
  readonly network: Network;
  readonly bank: string;
  /** Resolves with the time at which the client's feed reports this status of an off-ramp or a pay-in. */
  readonly told: (id: string, status: string) => Promise<Date>;
  readonly stop: () => void;
}

/** Adds a client to the stage by operators' commands. @throws when none of the stage's EVM networks is simulated */
export async function addLoadClient(
  target: SmokeTarget,
  ops: Operator,
  measurements: Measurements,
  clock: Clock,
): Promise<LoadClient> {
  const credentials = await createClient(ops, 'Load test');
  const { clientId } = credentials;
  await ops(['approve-client', clientId, '--yes']);
  const { baseUrl, isSimulated } = target;
  const unmeasured = connect({ baseUrl, credentials, fetch: target.fetch });
  await retryUntilKeyKnown(() => unmeasured('GET /api/infoClient'));
  const call = connect({ baseUrl, credentials, fetch: measurements.measuring(baseUrl, target.fetch) });
  const user = await addSandboxUser(ops, { call, clientId, isSimulated });
  if (user === undefined) throw new Error('No EVM network of this stage is simulated: it cannot be load-tested.');
  const { body: banks = [] } = await call('GET /api/v1/admin/banks');
  const bank = banks[0]?.code ?? '';
  return { clientId, call, ...user, bank, ...readFeed(call, clock) };
}

const changed = z.object({
  operationId: z.optional(z.string()),
  payinId: z.optional(z.string()),
  status: z.optional(z.string()),
});

/** Reads the client's events once a second, and repeats a failed read. */
function readFeed(call: Call, clock: Clock): Pick<LoadClient, 'told' | 'stop'> {
  const waiting = new Map<string, (at: Date) => void>();
  let isStopped = false;
  const tell = ({ type, data }: { readonly type: string; readonly data: unknown }) => {
    if (!['ramp.operation.status_changed', 'ramp.payin.status_changed'].includes(type)) return;
    const { operationId, payinId, status } = changed.parse(data);
    waiting.get(`${operationId ?? payinId} ${status}`)?.(clock.now());
  };
  const readOn = async (after: string | undefined) => {
    const { body } = await call('GET /api/v1/events', { query: after === undefined ? {} : { after } });
    body.events.forEach(tell);
    if (!body.hasMore) await clock.sleep(1000);
    return body.nextCursor;
  };
  const read = async () => {
    let after: string | undefined;
    while (!isStopped) {
      const before = after;
      after = await readOn(before).catch(() => clock.sleep(1000).then(() => before));
    }
  };
  void read();
  return {
    told: (id, status) => {
      const { promise, resolve } = Promise.withResolvers<Date>();
      waiting.set(`${id} ${status}`, resolve);
      return promise;
    },
    stop: () => {
      isStopped = true;
    },
  };
}
