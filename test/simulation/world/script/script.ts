import type { Network } from '#shared/networks/network.ts';
import type { EndStatus } from '#shared/off-ramps/model/off-ramp.ts';
import type { PaymentMethod } from '#shared/pay-ins/payment-methods.ts';
import type { Webhook } from '#shared/webhooks/model/webhook.ts';
import type { Phase } from '#test/simulation/world/chain/phases.ts';
import type { Spell } from '#test/simulation/world/endpoints/behaviour.ts';
import type { Deed } from '#test/simulation/world/hostile/deeds.ts';
import type { BadDeployment, Outage } from '#test/simulation/world/outages.ts';
import type { Swarm } from '#test/simulation/world/swarm.ts';
import type { FinanceScript, ReturnScript } from './finance-script.ts';

/*
 * Everything outside of the service in one round that does not depend on the service. It is data only: an act can be
 * removed without changing the rest. Milliseconds: `at` since 1970, `after` since the act that it belongs to.
 */

export interface Script {
  readonly swarm: Swarm;
  /** True if the world's payout service replaces the sandbox's. */
  readonly hasOwnPayouts: boolean;
  /** Settings of functions that differ from the stage's. */
  readonly settings: Readonly<Record<string, string>>;
  readonly clients: readonly ClientScript[];
  readonly offRamps: readonly OffRampScript[];
  readonly payins: readonly PayinScript[];
  readonly notices: readonly NoticeScript[];
  readonly deeds: readonly DeedScript[];
  readonly outages: readonly Outage[];
  /** Times at which all functions restart in new processes. */
  readonly deployments: readonly number[];
  readonly badDeployments: readonly BadDeployment[];
  readonly operators: readonly OperatorScript[];
  readonly finance: readonly FinanceScript[];
  /** True if nothing fails in this round. */
  readonly isQuiet: boolean;
  /** From then on nothing outside of the service fails, and nothing new begins there. */
  readonly quietFrom: number;
  /** When the round ends, even with work left; absent if it lasts until nothing is left to do. */
  readonly endsAt?: number;
}

export interface ClientScript {
  readonly name: string;
  readonly clientId: string;
  readonly secret: string;
  readonly isHostile: boolean;
  readonly users: readonly [UserScript, ...UserScript[]];
  readonly webhooks: readonly WebhookScript[];
  /** How it reads the feed, if at all: hourly; or once at the beginning and once at the end. */
  readonly feed?: 'HOURLY' | 'AWAY';
  /** True if it reads its users' lists at the end. */
  readonly readsLists?: boolean;
  /** Operators end its secret, and it uses the new one only later. */
  readonly leak?: { readonly at: number; readonly until: number };
}

export interface UserScript {
  readonly userId: string;
  readonly wallets: readonly [WalletScript, ...WalletScript[]];
}

export interface WalletScript {
  readonly walletId: string;
  readonly network: Network;
  readonly address: string;
}

export interface WebhookScript {
  readonly url: string;
  readonly process: Webhook['process'];
  readonly method: Webhook['method'];
  readonly at: number;
  /** The manners of its endpoint over time. */
  readonly spells: readonly Spell[];
  readonly changes: readonly WebhookChange[];
}

export interface WebhookChange {
  readonly at: number;
  readonly does: 'ROTATE' | 'DEACTIVATE' | 'ACTIVATE' | 'MOVE' | 'REMOVE' | 'TEST' | 'RESEND' | 'REPLAY' | 'LIST';
}

/** A token on a network. */
export interface AssetScript {
  readonly tokenId: number;
  readonly custodianAssetId: string;
  readonly decimals: number;
}

export interface OffRampScript {
  readonly name: string;
  readonly clientId: string;
  readonly userId: string;
  readonly wallet: WalletScript;
  readonly asset: AssetScript;
  readonly amount: string;
  readonly externalReference: string;
  readonly at: number;
  /** Absent: a creation whose answer is lost is not repeated. */
  readonly key?: string;
  /** Repeats under the same key, with the same body or another one. */
  readonly repeats: readonly { readonly after: number; readonly isAnother: boolean }[];
  readonly payments: readonly PaymentScript[];
  readonly submissions: readonly { readonly after: number; readonly txHash: string }[];
  readonly cancellations: readonly { readonly after: number }[];
  readonly reads: readonly { readonly after: number; readonly what: 'OPERATION' | 'HASH' | 'LIST' }[];
  readonly messages: readonly MessageScript[];
  readonly returns: readonly ReturnScript[];
  /** What the payout service does once it hears of the deposit. */
  readonly payout?: PayoutScript;
}

/** What the payout service does and reports. */
export interface PayoutScript {
  readonly after: number;
  readonly status: EndStatus;
  /** After a failure or cancellation it pays all the same, after the same delay again. */
  readonly isPaidAfterAll?: boolean;
  readonly isPaidTwice?: boolean;
  /** The bank returns the payout after the same delay again; it may be paid once more. */
  readonly comesBack?: { readonly isPaidAgain: boolean };
}

/** A transaction that the user sends once the address is known. */
export interface PaymentScript {
  readonly after: number;
  readonly txHash: string;
  readonly network: Network;
  readonly phases: readonly Phase[];
  readonly transfers: readonly [TransferScript, ...TransferScript[]];
}

/** How a transfer differs from the expected one. */
export interface TransferScript {
  readonly amount?: string;
  readonly assetId?: string;
  readonly fromAddress?: string;
  /** The name of another off-ramp whose address it is sent to. */
  readonly to?: string;
  readonly isWithoutTag?: boolean;
  /** True if the custodian moves money of its own. */
  readonly isFromCustodian?: boolean;
}

/** Another service reports an operation's end, even when that makes no sense. */
interface MessageScript {
  readonly after: number;
  readonly source: 'COMPLIANCE' | 'PAYOUTS';
  readonly status: string;
  readonly reason?: string | null;
}

/** Another service puts an event on the bus that belongs to no off-ramp of the script. */
export interface NoticeScript {
  readonly at: number;
  readonly source: string;
  readonly type: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** A hostile client acts on the off-ramp of that name. */
export interface DeedScript {
  readonly at: number;
  readonly clientId: string;
  readonly deed: Deed;
  readonly victim: string;
}

/** An operator acts on the off-ramp or the pay-in of that name. */
export interface OperatorScript {
  readonly at: number;
  readonly does: 'POLL_DEPOSITS' | 'RESOLVE' | 'POLL_PAYIN' | 'END_PAYIN' | 'ERASE_USER';
  readonly about: string;
  readonly isWrong: boolean;
  readonly isTwice: boolean;
}

export interface PayinScript {
  readonly name: string;
  readonly clientId: string;
  readonly userId: string;
  readonly paymentMethod: PaymentMethod;
  /** Pesos, with at most two decimals; unique among the pay-ins, because payers are found by it. */
  readonly amount: number;
  readonly bank?: string;
  readonly phone?: string;
  readonly externalReference: string;
  /** Milliseconds from its creation to its `expirationDate`. */
  readonly expiresAfter?: number;
  readonly at: number;
  readonly key?: string;
  readonly repeats: readonly { readonly after: number; readonly isAnother: boolean }[];
  readonly reads: readonly { readonly after: number; readonly what: 'PAYIN' | 'LIST' }[];
  /** What happens to its payment after the rail took it. */
  readonly fates: readonly PaymentFate[];
}

/** `amount` and `currency`: if they differ from the order. `isOther`: of a second payment with the same reference. */
export interface PaymentFate extends Partial<Record<'amount' | 'currency', string> & { isOther: boolean }> {
  readonly after: number;
  readonly status: 'COMPLETED' | 'FAILED' | 'EXPIRED';
}
