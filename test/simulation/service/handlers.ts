import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';
import type { Custodians } from '#shared/off-ramps/custodians/custodian.ts';
import type { PaymentRail } from '#shared/pay-ins/rails/payment-rail.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import type { FetchPublicKey } from '#shared/platform/aws/kms.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { CallWebhook } from '#shared/webhooks/http-client/call-webhook.ts';
import type { GuardTarget } from '#shared/webhooks/http-client/ssrf-guard.ts';
import type { FunctionShape } from '#test/simulation/topology/topology.ts';
import type { CustodianMembers } from '#test/simulation/world/providers/custodian.ts';
import { withEnvironment } from './environment.ts';

/** The dependencies of all handlers. */
export interface Wiring extends AwsClients {
  readonly custodians: Custodians<CustodianMembers>;
  readonly senders: Custodians<'send' | 'findSending'>;
  readonly outgoing: Custodians<'findOutgoing'>;
  readonly chains: Custodians<'scanTransfers'>;
  readonly notifiers: Custodians<'readNotification'>;
  readonly rails: ReadonlyMap<string, PaymentRail>;
  readonly guardUrl: GuardTarget;
  readonly callWebhook: CallWebhook;
  readonly fetchPublicKey: FetchPublicKey;
  readonly randomBytes: (size: number) => Buffer;
  /** Writes a raw line, from which CloudWatch makes metrics. */
  readonly writeLine: (line: string) => void;
}

type Handler = (event: unknown, context: unknown) => Promise<unknown>;

export type Wire = (wiring: Wiring, clock: Clock, newId: () => string) => Handler;

const handlerModule = z.object({ wire: z.custom<Wire>((value) => typeof value === 'function') });

/** Functions that only serve files, and need no wiring. */
const OF_FILES = ['docs/get-docs', 'docs/get-openapi'];

/**
 * Loads every function's wiring, by folder. Handlers read their settings and make a first call on import, so they get
 * the template's settings and an address where nobody listens.
 */
export async function loadHandlers(functions: readonly FunctionShape[]): Promise<ReadonlyMap<string, Wire>> {
  const handlers = new Map<string, Wire>();
  for (const { folder, environment } of functions.filter((one) => !OF_FILES.includes(one.folder))) {
    const file = fileURLToPath(new URL(`../../../functions/${folder}/handler.ts`, import.meta.url));
    const imported: unknown = await withEnvironment({ ...environment, ...NOBODY }, () => import(file));
    handlers.set(folder, handlerModule.parse(imported).wire);
  }
  return handlers;
}

const NOBODY = {
  AWS_ENDPOINT_URL: 'http://127.0.0.1:1',
  AWS_REGION: 'in-memory-1',
  AWS_ACCESS_KEY_ID: 'none',
  AWS_SECRET_ACCESS_KEY: 'none',
  AWS_MAX_ATTEMPTS: '1',
};
