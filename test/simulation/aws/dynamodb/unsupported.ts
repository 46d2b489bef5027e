/** The table in memory does not know this; whoever needs it teaches it, and lets the real engine say whether it is right. */
export class Unsupported extends Error {
  override readonly name = 'Unsupported';
}
