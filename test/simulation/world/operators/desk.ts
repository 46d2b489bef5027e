import * as z from 'zod/mini';
import { network } from '#shared/networks/network.ts';
import { depositIdOf, depositReturn } from '#shared/off-ramps/model/deposit.ts';
import type { Command } from '#test/simulation/books/truth.ts';
import type { Outside } from '#test/simulation/world/outside.ts';
import type { FinanceScript } from '#test/simulation/world/script/finance-script.ts';
import type { Console } from './console.ts';

/** The tools of a person of finance. */
export interface Desk {
  readonly outside: Outside;
  readonly operator: Console;
  readonly act: FinanceScript;
  /** Runs a command as this person or another one. True if it was taken. */
  readonly change: (name: string, input: Command['input'], person?: string) => Promise<boolean>;
  /** Runs a command that must be refused; the round fails if it is taken. */
  readonly refused: (name: string, input: Command['input'], person?: string) => Promise<void>;
}

/** A deposit as operators look it up. */
export const depositAnswer = z.object({
  custodianTransferId: z.string(),
  network,
  status: z.optional(z.string()),
  return: z.optional(depositReturn),
  settled: z.optional(z.unknown()),
});

export type DepositAnswer = z.infer<typeof depositAnswer>;

/** True if something was sent for the deposit that has not failed for good. */
export function mayArrive({ outside: { custodian, host } }: Desk, custodianTransferId: string): boolean {
  const now = host.schedule.clock.now().getTime();
  return custodian.sendings.all.some(
    ({ depositId, phases }) =>
      depositId === depositIdOf(custodianTransferId) &&
      (phases.findLast(({ at }) => at <= now)?.state !== 'FAILED' ||
        phases.some(({ at, state }) => at > now && state === 'COMPLETED')),
  );
}

/** Names an off-ramp that expects exactly this amount and asset, at any address; empty if there is none. */
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
