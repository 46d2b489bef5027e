/** The ways in which an endpoint can answer. */
export const manners = [
  'OK',
  'BAD_REQUEST',
  'UNAUTHORIZED',
  'NOT_FOUND',
  'SERVER_ERROR',
  'GONE',
  'REDIRECT',
  'HANGS',
  'REFUSES_CONNECTIONS',
  'BAD_CERTIFICATE',
  'NAME_LOST',
  'NAME_TURNED_INWARD',
  'OVERLOADED_FOR_SECONDS',
  'OVERLOADED_UNTIL_DATE',
] as const;

export type Manner = (typeof manners)[number];

/** An endpoint's manner from a time on; before its first spell it is `OK`. */
export interface Spell {
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly manner: Manner;
}

export function mannerAt(spells: readonly Spell[], time: number): Manner {
  return spells.findLast(({ from }) => from <= time)?.manner ?? 'OK';
}
