/**
 * Stands in for the SDK's event streams in a bundle: the SDK imports them only for a command that has one, and no SDK
 * client of the service has such a command.
 */
export function eventStreamSerdeProvider(): never {
  throw new Error('No command of the service has an event stream.');
}

export class EventStreamSerde {
  constructor() {
    eventStreamSerdeProvider();
  }
}
