import type { Command, Notice, Payout, TrueCall, TrueError, TrueList } from '#test/simulation/books/truth.ts';
import type { KnownFeed } from './clients/feed.ts';
import type { ClientScript, OffRampScript, PayinScript, WebhookScript } from './script/script.ts';

/** An off-ramp as its client knows it. */
export interface KnownOffRamp {
  readonly script: OffRampScript;
  readonly operationId: string;
  readonly address: string;
  readonly addressTag?: string;
}

/** A pay-in as its client knows it. */
export interface KnownPayin {
  readonly script: PayinScript;
  readonly payinId: string;
}

export interface KnownWebhook {
  readonly client: ClientScript;
  readonly script: WebhookScript;
  readonly webhookId: string;
}

/** Everything that actors outside of the service have asked, and the answers. */
export interface Memory {
  /** In the order in which the calls began. */
  readonly calls: TrueCall[];
  readonly notices: Notice[];
  readonly offRamps: KnownOffRamp[];
  readonly payins: KnownPayin[];
  readonly webhooks: KnownWebhook[];
  /** The commands of operators, and the lists that they read. */
  readonly commands: Command[];
  readonly lists: TrueList[];
  readonly feeds: KnownFeed[];
  /** Hashes that finance sent by hand, by deposit and request; empty if finance gave the sending up. */
  readonly sentByHand: Map<string, string>;
  /** The payouts that were made. */
  readonly payouts: (Payout & { isBack: boolean })[];
  /** The errors that the service logged. */
  readonly errors: TrueError[];
}

export function createMemory(): Memory {
  return {
    calls: [],
    notices: [],
    offRamps: [],
    payins: [],
    webhooks: [],
    commands: [],
    lists: [],
    feeds: [],
    sentByHand: new Map(),
    payouts: [],
    errors: [],
  };
}
