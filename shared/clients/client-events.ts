import * as z from 'zod/mini';
import { documentEvent, event, sequence } from '#shared/events/event-envelope.ts';
import { id } from '#shared/platform/http/fields.ts';

/** The result of the client's compliance review changed. */
export const clientStatusChanged = event(
  'compliance.client.status_changed',
  z.object({
    clientId: id,
    status: z.string(),
    previousStatus: z.nullable(z.string()),
    sequence,
  }),
);

documentEvent('ClientStatusChanged', clientStatusChanged, 'The compliance status of the client changed.', {
  clientId: 'The client.',
  status: 'The compliance status that it came to. It may operate only while this is `approved`.',
  previousStatus: 'The compliance status before; null when there was none.',
  sequence: 'Grows with every change of the client. An event with a smaller sequence than a known one is out of date.',
});
