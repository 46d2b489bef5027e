import type { Network } from '#shared/networks/network.ts';
import type { EndStatus } from '#shared/off-ramps/model/off-ramp.ts';
import type { PaymentMethod } from '#shared/pay-ins/payment-methods.ts';
import type { Webhook } from '#shared/webhooks/model/webhook.ts';
import type { Phase } from '#test/simulation/world/chain/phases.ts';
import type { Spell } from '#test/simulation/world/endpoints/behaviour.ts';
import type { Deed } from '#test/simulation/world/hostile/deeds.ts';
import type { Outage } from '#test/simulation/world/outages.ts';
import type { Swarm } from '#test/simulation/world/swarm.ts';
import type { FinanceScript, ReturnScript } from './finance-script.ts';

/*
 * What happens outside of the service in one round, as far as it does not depend on what the service does. All of it is data, so
 * that a part can be taken away and the rest stays as it is. Milliseconds: `at` since 1970, `after` since what the act belongs to.
 */

export interface Script {
  readonly swarm: Swarm;
  /** The payout service is one of the world, not that of the sandbox. */
  readonly hasOwnPayouts: boolean;
  /** Settings of functions that are not as the stage has them. */
  readonly settings: Readonly<Record<string, string>>;
  readonly clients: readonly ClientScript[];
  readonly offRamps: readonly OffRampScript[];
  readonly payins: readonly PayinScript[];
  readonly notices: readonly NoticeScript[];
  readonly deeds: readonly DeedScript[];
  readonly outages: readonly Outage[];
  /** When new processes of all functions take the place of the old ones. */
  readonly deployments: readonly number[];
  readonly badDeployments: readonly BadDeployment[];
  readonly operators: readonly OperatorScript[];
  readonly finance: readonly FinanceScript[];
  /** Nothing fails in this round. */
  readonly isQuiet: boolean;
  /** Everything outside of the service is well from then on, and nothing new is begun there. */
  readonly quietFrom: number;
  /** When the round is over, whatever is still to come; absent when nothing must be. */
  readonly endsAt?: number;
}

/** Every call of a function fails, from a time to another. */
export interface BadDeployment extends Pick<Outage, 'from' | 'until'> {
  readonly folder: string;
}

export interface ClientScript {
  readonly name: string;
  readonly clientId: string;
  readonly secret: string;
  readonly isHostile: boolean;
  readonly users: readonly [UserScript, ...UserScript[]];
  readonly webhooks: readonly WebhookScript[];
  /** How it reads the feed, if it does: each hour; or once in the beginning, and then not until the end. */
  readonly feed?: 'HOURLY' | 'AWAY';
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
  /** How its endpoint answers, from when on. */
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
  /** Without one, a creation whose answer got lost is not repeated. */
  readonly key?: string;
  /** The same creation again under its key, or another one. */
  readonly repeats: readonly { readonly after: number; readonly isAnother: boolean }[];
  readonly payments: readonly PaymentScript[];
  readonly submissions: readonly { readonly after: number; readonly txHash: string }[];
  readonly cancellations: readonly { readonly after: number }[];
  readonly reads: readonly { readonly after: number; readonly what: 'OPERATION' | 'HASH' | 'LIST' }[];
  readonly messages: readonly MessageScript[];
  readonly returns: readonly ReturnScript[];
  /** What the payout service does once it knows that the deposit is there. */
  readonly payout?: PayoutScript;
}

/** What the payout service does, and says of it. */
export interface PayoutScript {
  readonly after: number;
  readonly status: EndStatus;
  /** What had failed, or was cancelled, is paid as long again after that. */
  readonly isPaidAfterAll?: boolean;
  readonly isPaidTwice?: boolean;
  /** What was paid comes back from the bank as long again after that, and may be paid once more. */
  readonly isRedoneBySweep?: { readonly isPaidAgain: boolean };
}

/** One transaction of the user, once the address is known. */
export interface PaymentScript {
  readonly after: number;
  readonly txHash: string;
  readonly network: Network;
  readonly phases: readonly Phase[];
  readonly transfers: readonly [TransferScript, ...TransferScript[]];
}

/** What of a transfer is not what the operation awaits. */
export interface TransferScript {
  readonly amount?: string;
  readonly assetId?: string;
  readonly fromAddress?: string;
  /** The name of another off-ramp, to whose address it is sent. */
  readonly to?: string;
  readonly isWithoutTag?: boolean;
  /** The custodian moves something of its own. */
  readonly isFromCustodian?: boolean;
}

/** Another service says of an operation that it ends, whether that makes sense or not. */
interface MessageScript {
  readonly after: number;
  readonly source: 'COMPLIANCE' | 'PAYOUTS';
  readonly status: string;
  readonly reason?: string | null;
}

/** Another service puts an event on the bus that is about no off-ramp in particular. */
export interface NoticeScript {
  readonly at: number;
  readonly source: string;
  readonly type: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** A hostile client does something about the off-ramp of that name. */
export interface DeedScript {
  readonly at: number;
  readonly clientId: string;
  readonly deed: Deed;
  readonly victim: string;
}

/** An operator does something, about the off-ramp or the pay-in of that name. */
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
  /** Pesos, with two decimals at most; no other pay-in has the same. */
  readonly amount: number;
  readonly bank?: string;
  readonly phone?: string;
  readonly externalReference: string;
  /** Of its `expirationDate`, since its creation. */
  readonly expiresAfter?: number;
  readonly at: number;
  readonly key?: string;
  readonly repeats: readonly { readonly after: number; readonly isAnother: boolean }[];
  readonly reads: readonly { readonly after: number; readonly what: 'PAYIN' | 'LIST' }[];
  /** What becomes of its payment at the rail, since it was taken. */
  readonly fates: readonly PaymentFate[];
}

/** `amount` and `currency` are what is paid, if it is not what was ordered. */
export interface PaymentFate extends Partial<Record<'amount' | 'currency', string>> {
  readonly after: number;
  readonly status: 'COMPLETED' | 'FAILED' | 'EXPIRED';
}
