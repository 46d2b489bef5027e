/** Something the person who started it has to do first. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';
}
