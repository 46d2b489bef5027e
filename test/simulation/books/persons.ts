/** One person has one name, in whatever role: that of the session, or of the user. */
export function personOf(who: string): string {
  return (who.split(/[:/]/).at(-1) ?? '').toLowerCase();
}
