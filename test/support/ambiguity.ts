/** An expression as its places that take a character, and where each leads (Glushkov's automaton). */
export interface Automaton {
  readonly places: readonly RegExp[];
  /** A place that is led to in two ways stands there twice. */
  readonly next: readonly (readonly number[])[];
}

/**
 * Whether the expression can be ambiguous on a text of any length: one of its loops goes round on some text in two ways, or
 * two of them, the one leading to the other, go round on the same text. An engine that tries one way after the other
 * then tries as many as the text has places, or many more; with neither it takes no more steps than a multiple of them.
 *
 * Source: Weber and Seidl, On the degree of ambiguity of finite automata (1991), its criteria EDA and IDA.
 */
export function isAmbiguous({ places, next }: Automaton): boolean {
  const letters = lettersOf(places);
  const loops = places.map((_, place) => place).filter((place) => reaches([place], ways, ([end]) => end === place));
  return loops.some((loop) => isTwoWays(loop) || loops.some((other) => other !== loop && overlap(loop, other)));

  function ways([from = 0]: readonly number[]): readonly number[][] {
    return (next[from] ?? []).map((to) => [to]);
  }

  /** Two walks begin in the loop on the same text, part, and are in it again. */
  function isTwoWays(loop: number): boolean {
    return reaches([loop, loop, 0], bothWays, ([one, other, parted]) => one === loop && other === loop && parted === 1);
  }

  function bothWays([one = 0, other = 0, parted = 0]: readonly number[]): readonly number[][] {
    return letters.flatMap((letter) =>
      after(one, letter).flatMap((first, edge) =>
        after(other, letter).map((second, otherEdge) => {
          const part = one !== other || edge !== otherEdge;
          return [first, second, part ? 1 : parted];
        }),
      ),
    );
  }

  /** On the same text one walk goes round in the first loop, one from it to the other loop, and one round in that. */
  function overlap(loop: number, other: number): boolean {
    return reaches(
      [loop, loop, other],
      allThree,
      ([one, two, three]) => one === loop && two === other && three === other,
    );
  }

  function allThree([one = 0, two = 0, three = 0]: readonly number[]): readonly number[][] {
    return letters.flatMap((letter) =>
      after(one, letter).flatMap((first) =>
        after(two, letter).flatMap((second) => after(three, letter).map((third) => [first, second, third])),
      ),
    );
  }

  function after(place: number, letter: string): readonly number[] {
    return (next[place] ?? []).filter((to) => places[to]?.test(letter));
  }
}

/** Whether a walk of at least one step ends in a goal. */
function reaches(
  from: readonly number[],
  steps: (state: readonly number[]) => readonly (readonly number[])[],
  isGoal: (state: readonly number[]) => boolean,
): boolean {
  const seen = new Set<string>();
  const open = [from];
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    for (const to of steps(state)) {
      if (isGoal(to)) return true;
      if (seen.has(to.join())) continue;
      seen.add(to.join());
      open.push(to);
    }
  }
  return false;
}

/** One character for each set of places that characters have in common. */
function lettersOf(places: readonly RegExp[]): readonly string[] {
  const characters = [
    ...Array.from({ length: 0x180 }, (_, code) => String.fromCharCode(code)),
    '\u2028',
    '\u3000',
    '😀',
  ];
  return [...new Map(characters.map((one) => [places.map((place) => place.test(one)).join(), one])).values()];
}
