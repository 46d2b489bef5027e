/**
 * Something that fails now and may succeed a moment later. The endpoint answers 503; a queue delivers the message
 * again.
 */
export class Unavailable extends Error {
  override readonly name: string = 'Unavailable';

  /** For the log: why it says nothing of the service, but of whoever asks. Nobody is called for that. */
  get declinedFor(): string | undefined {
    return undefined;
  }
}

/** In production, of what depends on a simulated provider: nobody could honour it (decisions.md 5). */
export class NotHonoured extends Unavailable {
  override readonly name = 'NotHonoured';

  override get declinedFor() {
    return 'PROVIDER_SIMULATED';
  }
}
