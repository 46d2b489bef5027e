import { type EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { log } from '#shared/platform/logger.ts';

export interface BusEntry {
  /** The service that the event comes from. */
  readonly source: string;
  readonly type: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

export function eventBus(client: EventBridgeClient, busName: string) {
  return {
    /**
     * Puts up to 10 events on the bus, which may accept only some of them. Returns the positions of the rejected ones;
     * the call itself succeeds in that case.
     */
    async put(entries: readonly BusEntry[]): Promise<readonly number[]> {
      const { Entries: results = [] } = await client.send(
        new PutEventsCommand({
          Entries: entries.map(({ source, type, detail }) => ({
            EventBusName: busName,
            Source: source,
            DetailType: type,
            Detail: JSON.stringify(detail),
          })),
        }),
      );
      const refused = entries.flatMap((_, position) => (results[position]?.EventId === undefined ? [position] : []));
      const codes = new Set(refused.map((position) => results[position]?.ErrorCode));
      if (refused.length > 0) log.warn('EVENTS_NOT_TAKEN', { count: refused.length, codes: [...codes].join() });
      return refused;
    },
  };
}

export type EventBus = ReturnType<typeof eventBus>;
