import * as z from 'zod/mini';
import { contract } from '#shared/platform/http/contract.ts';
import { documentObject } from '#shared/platform/http/document.ts';
import { noBody } from '#shared/platform/http/fields.ts';
import { pageLimit } from '#shared/platform/http/page-limit.ts';
import { deliveriesPath, delivery } from './delivery-contract.ts';
import { ofWebhook } from './webhook-contract.ts';

export const listDeliveries = contract({
  name: 'list-deliveries',
  method: 'GET',
  path: deliveriesPath,
  summary: "List a webhook's deliveries with their attempts, newest first",
  access: 'client',
  pathParameters: ofWebhook,
  unknownPath: 'FORBIDDEN',
  query: z.object({ limit: pageLimit, cursor: z.optional(z.string()) }),
  body: noBody,
  success: { status: 200, body: z.object({ deliveries: z.array(delivery), nextCursor: z.optional(z.string()) }) },
  refusals: ['UNAUTHORIZED', 'FORBIDDEN', 'WEBHOOK_NOT_FOUND', 'VALIDATION_FAILED'],
});

documentObject('DeliveryPage', listDeliveries.success.body, "A page of a webhook's deliveries.", {
  deliveries: 'The deliveries of this page, newest first.',
  nextCursor: 'Opaque. Send it as `cursor` to get the next page; absent on the last one.',
});
