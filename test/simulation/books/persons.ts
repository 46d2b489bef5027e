/** Returns the name of a person, the same in any role: the name of the session, or of the user. */
export function personOf(who: string): string {
  return (who.split(/[:/]/).at(-1) ?? '').toLowerCase();
}
