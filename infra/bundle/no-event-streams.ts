/**
 * Stands in for the SDK's event streams in a bundle: the SDK imports them only for a command that has one, and no command
 * of the clients of the service does.
 */
export function eventStreamSerdeProvider(): never {
  throw new Error('No command of the service has an event stream.');
}

export class EventStreamSerde {
  constructor() {
    eventStreamSerdeProvider();
  }
}
