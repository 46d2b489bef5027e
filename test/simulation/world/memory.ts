import type { Command, Notice, Payout, TrueCall, TrueError, TrueList } from '#test/simulation/books/truth.ts';
import type { KnownFeed } from './clients/feed.ts';
import type { ClientScript, OffRampScript, PayinScript, WebhookScript } from './script/script.ts';

/** What its client knows of an off-ramp. */
export interface KnownOffRamp {
  readonly script: OffRampScript;
  readonly operationId: string;
  readonly address: string;
  readonly addressTag?: string;
}

/** What its client knows of a pay-in. */
export interface KnownPayin {
  readonly script: PayinScript;
  readonly payinId: string;
}

export interface KnownWebhook {
  readonly client: ClientScript;
  readonly script: WebhookScript;
  readonly webhookId: string;
}

/** What everybody outside of the service has asked, and was answered. */
export interface Memory {
  /** In the order in which they began. */
  readonly calls: TrueCall[];
  readonly notices: Notice[];
  readonly offRamps: KnownOffRamp[];
  readonly payins: KnownPayin[];
  readonly webhooks: KnownWebhook[];
  /** What operators have changed, and read in the end. */
  readonly commands: Command[];
  readonly lists: TrueList[];
  readonly feeds: KnownFeed[];
  /** Hashes of what finance has sent by hand, by its deposit and request; empty of what it will not send. */
  readonly sentByHand: Map<string, string>;
  /** What was paid out. */
  readonly payouts: (Payout & { isBack: boolean })[];
  /** What the service has called somebody for. */
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
