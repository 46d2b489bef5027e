import * as z from 'zod/mini';
import { network } from '#shared/networks/network.ts';
import { depositIdOf, depositReturn } from '#shared/off-ramps/model/deposit.ts';
import type { Outside } from '#test/simulation/world/outside.ts';
import type { FinanceScript } from '#test/simulation/world/script/finance-script.ts';
import type { Console } from './console.ts';

/** What a person of finance works with. */
export interface Desk {
  readonly outside: Outside;
  readonly operator: Console;
  readonly act: FinanceScript;
  /** A command by this person, or another one. */
  readonly change: (name: string, input: Readonly<Record<string, string>>, person?: string) => Promise<boolean>;
  /** The same where it must never be taken, whatever others do meanwhile. */
  readonly refused: (name: string, input: Readonly<Record<string, string>>, person?: string) => Promise<void>;
}

/** A deposit as operators look it up. */
export const lookedUp = z.object({
  custodianTransferId: z.string(),
  network,
  status: z.optional(z.string()),
  return: z.optional(depositReturn),
  settled: z.optional(z.unknown()),
});

export type LookedUp = z.infer<typeof lookedUp>;

/** Whether anything was sent for a deposit that has not failed for ever. */
export function mayArrive({ outside: { custodian, host } }: Desk, custodianTransferId: string): boolean {
  const now = host.schedule.clock.now().getTime();
  return custodian.sendings.all.some(
    ({ depositId, phases }) =>
      depositId === depositIdOf(custodianTransferId) &&
      (phases.findLast(({ at }) => at <= now)?.state !== 'FAILED' ||
        phases.some(({ at, state }) => at > now && state === 'COMPLETED')),
  );
}

/** An off-ramp that awaits just what was sent, wherever it went; that of its address when there is none. */
export function meantFor(
  { outside: { chain, memory } }: Desk,
  custodianTransferId: string,
): { readonly operation?: string } {
  const facts = chain.all.find(({ facts: one }) => one.custodianTransferId === custodianTransferId)?.facts;
  const meant = memory.offRamps.find(
    ({ script }) => script.amount === facts?.amount && script.asset.custodianAssetId === facts.assetId,
  );
  return meant === undefined ? {} : { operation: meant.operationId };
}
