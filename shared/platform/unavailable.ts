/**
 * Something that fails now and may succeed a moment later. The endpoint answers 503; a queue delivers the message
 * again.
 */
export class Unavailable extends Error {
  override readonly name: string = 'Unavailable';
}
