import { type Automaton, isAmbiguous } from './ambiguity.ts';

/**
 * Whether a regular expression costs no more than a multiple of the length of its input, told from its structure and not by
 * a clock.
 *
 * @throws when it has what is not judged here: look-around, references, or a repeated piece that can be empty
 */
export function isLinear({ source, flags }: RegExp): boolean {
  const isAnchored = flags.includes('y') || (source.startsWith('^') && !hasAlternatives(source));
  // Looking for a beginning is a loop over anything.
  return !isAmbiguous(automatonOf(isAnchored ? source : `[^]*(?:${source})`, flags));
}

function hasAlternatives(source: string): boolean {
  const withoutGroups = (text: string): string => {
    const outer = text.replaceAll(/\([^()]*\)/g, '');
    return outer === text ? text : withoutGroups(outer);
  };
  return withoutGroups(source.replaceAll(/\\.|\[(?:\\.|[^\]\\])*\]/g, '')).includes('|');
}

/** A part of an expression, by the places that it can begin and end with. */
interface Piece {
  readonly canBeEmpty: boolean;
  readonly first: readonly number[];
  readonly last: readonly number[];
}

const NOTHING: Piece = { canBeEmpty: true, first: [], last: [] };

const TOKEN =
  /(?<group>\((?:\?:|\?<\w+>)?)|(?<mark>[$^]|\\[bB])|(?<place>\\(?:x..|u\{\w+\}|u....|p\{\w+\}|\D)|\[(?:\\.|[^\]\\])*\]|[^()|\\[*+?{])/suy;

const QUANTIFIER = /(?:\*|\+|\?|\{\d+(?:,\d*)?\})\??/y;

function automatonOf(expression: string, flags: string): Automaton {
  const places: RegExp[] = [];
  const next: number[][] = [];
  let at = 0;
  alternatives();
  if (at < expression.length) throw notJudged();
  return { places, next };

  function alternatives(): Piece {
    let piece = sequence();
    while (expression[at] === '|') {
      at += 1;
      const other = sequence();
      piece = {
        canBeEmpty: piece.canBeEmpty || other.canBeEmpty,
        first: [...piece.first, ...other.first],
        last: [...piece.last, ...other.last],
      };
    }
    return piece;
  }

  function sequence(): Piece {
    let piece = NOTHING;
    while (at < expression.length && !'|)'.includes(expression[at] ?? '')) piece = joined(piece, repeated());
    return piece;
  }

  /** Written out as often as it stands there, with a loop at the end when it may go on. */
  function repeated(): Piece {
    const start = at;
    let copy = single();
    const [least, most] = timesIn(taken(QUANTIFIER)?.[0]);
    const end = at;
    let piece = NOTHING;
    for (let times = 1; times <= Math.max(1, least, Number.isFinite(most) ? most : 0); times += 1) {
      if (times > 1) {
        at = start;
        copy = single();
      }
      piece = joined(piece, times > least ? { ...copy, canBeEmpty: true } : copy);
    }
    at = end;
    if (Number.isFinite(most)) return piece;
    if (copy.canBeEmpty) throw notJudged();
    lead(copy.last, copy.first);
    return piece;
  }

  function single(): Piece {
    const { group, place } = taken(TOKEN)?.groups ?? throwing();
    if (place !== undefined) return placeOf(place);
    if (group === undefined) return NOTHING;
    const piece = alternatives();
    if (expression[at] !== ')') throw notJudged();
    at += 1;
    return piece;
  }

  function placeOf(text: string): Piece {
    const place = places.push(new RegExp(`^${text}$`, flags.replaceAll(/[gmy]/g, ''))) - 1;
    next.push([]);
    return { canBeEmpty: false, first: [place], last: [place] };
  }

  function joined(one: Piece, other: Piece): Piece {
    lead(one.last, other.first);
    return {
      canBeEmpty: one.canBeEmpty && other.canBeEmpty,
      first: one.canBeEmpty ? [...one.first, ...other.first] : one.first,
      last: other.canBeEmpty ? [...one.last, ...other.last] : other.last,
    };
  }

  function lead(from: readonly number[], to: readonly number[]): void {
    for (const place of from) next[place]?.push(...to);
  }

  function taken(token: RegExp): RegExpExecArray | null {
    token.lastIndex = at;
    const found = token.exec(expression);
    at += found?.[0].length ?? 0;
    return found;
  }

  function notJudged(): Error {
    return new Error(`Not judged: ${expression} from ${expression.slice(at)} on.`);
  }

  function throwing(): never {
    throw notJudged();
  }
}

/** The least and the most times that a quantifier says. */
function timesIn(quantifier = '{1}'): readonly [least: number, most: number] {
  if (quantifier.startsWith('*')) return [0, Number.POSITIVE_INFINITY];
  if (quantifier.startsWith('+')) return [1, Number.POSITIVE_INFINITY];
  if (quantifier.startsWith('?')) return [0, 1];
  const [least = '1', most = least] = quantifier.replaceAll(/[{}?]/g, '').split(',');
  return [Number(least), most === '' ? Number.POSITIVE_INFINITY : Number(most)];
}
