/** What cannot be done at this moment and may well be done at the next. Answered 503 by the endpoint, handed out again by a queue. */
export class Unavailable extends Error {
  override readonly name: string = 'Unavailable';
}
