import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { DemoClient } from '#infra/cli/local-outputs.ts';
import { type deliveryAnswer, listDeliveriesContract } from '#shared/webhooks/contract/delivery-contract.ts';
import { registerWebhookContract } from '#shared/webhooks/contract/webhook-contract.ts';
import { eventually } from './eventually.ts';
import { callAs, type HttpAnswer } from './http-client.ts';
import { type Received, type Receiver, receiver } from './receiver.ts';

type Script = NonNullable<Parameters<typeof receiver>[0]>;
type Process = z.infer<typeof registerWebhookContract.body>['process'];
type DeliveryRead = z.infer<typeof deliveryAnswer>;

const eventBody = z.object({ data: z.object({ operationId: z.optional(z.string()) }) });

/** A client's webhook with its own endpoint, and the calls of the client's developer. */
export interface Subscription {
  readonly webhookId: string;
  readonly secret: string;
  /** `/api/webhooks/{clientId}/{webhook_id}` */
  readonly path: string;
  /** The path of its endpoint at the receiver. */
  readonly endpoint: string;
  call(method: string, further: string, body?: unknown, headers?: Record<string, string>): Promise<HttpAnswer>;
  /** The requests that the endpoint received. */
  received(): readonly Received[];
  /** The requests about the operation, once there are at least this many. */
  requestsAbout(operationId: string, times?: number): Promise<readonly Received[]>;
  page(query?: string): Promise<z.infer<typeof listDeliveriesContract.success.body>>;
  /** The delivery of an event, once it is as expected. */
  delivery(eventId: string, holds: (found: DeliveryRead) => boolean): Promise<DeliveryRead>;
}

export interface Subscriber {
  readonly endpoints: Receiver;
  /** @param process what the webhook monitors; `ramp` by default */
  subscribe(client: DemoClient, script?: Script, process?: Process): Promise<Subscription>;
  /** Removes all subscriptions, because their number per client is limited, and stops the endpoints. */
  stop(): Promise<void>;
}

/** Seconds for which an event may be on its way: through the stream, the bus, two queues and functions that start. */
const TIMEOUT = 120;

export async function subscriber(): Promise<Subscriber> {
  const scripts = new Map<string, Script>();
  const endpoints = await receiver((request, nth) => {
    const [path = ''] = request.path.split('?');
    return scripts.get(path)?.(request, nth) ?? { status: 404 };
  });
  const subscriptions: Subscription[] = [];
  return {
    endpoints,

    async subscribe(client, script = () => ({ status: 204 }), process = 'ramp') {
      const endpoint = `/${randomUUID()}`;
      scripts.set(endpoint, script);
      const order = { url: `${endpoints.url}${endpoint}?tenant=7`, process };
      const answer = await callAs(client, 'POST', `/api/webhooks/${client.clientId}`, order);
      const { id, secret } = registerWebhookContract.success.body.parse(JSON.parse(answer.text));
      const subscribed = subscription(client, { webhookId: id, secret, endpoint }, () => endpoints.received(endpoint));
      subscriptions.push(subscribed);
      return subscribed;
    },

    async stop() {
      await Promise.all(
        subscriptions.map(async ({ call }) => {
          await call('DELETE', '');
          await call('DELETE', '/record');
        }),
      );
      await endpoints.stop();
    },
  };
}

function subscription(
  client: DemoClient,
  { webhookId, secret, endpoint }: Pick<Subscription, 'webhookId' | 'secret' | 'endpoint'>,
  received: Subscription['received'],
): Subscription {
  const path = `/api/webhooks/${client.clientId}/${webhookId}`;
  const call: Subscription['call'] = (method, further, body, headers) =>
    callAs(client, method, `${path}${further}`, body, headers);
  const page: Subscription['page'] = async (query = '') =>
    listDeliveriesContract.success.body.parse(JSON.parse((await call('GET', `/deliveries${query}`)).text));
  return {
    webhookId,
    secret,
    path,
    endpoint,
    call,
    received,
    page,
    requestsAbout: (operationId, times = 1) =>
      eventually(
        async () => received().filter(({ body }) => tellsOf(body) === operationId),
        (found) => found.length >= times,
        TIMEOUT,
      ),
    async delivery(eventId, holds) {
      const found = await eventually(
        async () => (await page('?limit=100')).deliveries.filter((each) => each.eventId === eventId),
        (each) => each.some(holds),
        TIMEOUT,
      );
      return found.find(holds) ?? Promise.reject(new Error(`There is no delivery of ${eventId}.`));
    },
  };
}

function tellsOf(body: Buffer): string | undefined {
  return eventBody.parse(JSON.parse(body.toString())).data.operationId;
}
