/**
 * A JSON number that a double cannot hold exactly, as it was written. It is neither a number nor a text, so that only
 * what asks for a decimal takes it.
 */
export class WrittenNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): string {
    return this.text;
  }
}
