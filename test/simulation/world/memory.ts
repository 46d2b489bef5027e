import type { HttpAnswer, HttpCall } from './http.ts';
import type { ClientScript, OffRampScript, PayinScript, WebhookScript } from './script/script.ts';

/** An answer that a client got. */
export interface Answered {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly client: ClientScript;
  readonly call: HttpCall;
  readonly answer: HttpAnswer;
}

/** What its client knows of an off-ramp. */
export interface KnownOffRamp {
  readonly script: OffRampScript;
  readonly operationId: string;
  readonly address: string;
  readonly addressTag?: string;
}

/** A hash that was submitted, and what was answered at last; no status where no answer came. */
export interface Submission {
  readonly operationId: string;
  readonly txHash: string;
  readonly at: number;
  readonly status?: number;
  readonly code?: string;
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

/** All that was answered to clients, by which the service is held to its word. */
export interface Memory {
  readonly answers: Answered[];
  readonly offRamps: KnownOffRamp[];
  readonly submissions: Submission[];
  readonly payins: KnownPayin[];
  readonly webhooks: KnownWebhook[];
}

export function createMemory(): Memory {
  return { answers: [], offRamps: [], submissions: [], payins: [], webhooks: [] };
}
