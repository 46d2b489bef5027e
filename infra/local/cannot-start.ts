/** The person who started the program has to do something first. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';
}
