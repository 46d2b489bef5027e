/** The tables in memory do not implement this. Implement it when needed, and verify it against the real engine. */
export class Unsupported extends Error {
  override readonly name = 'Unsupported';
}
