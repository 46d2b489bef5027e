type Path = readonly (string | number)[];

export interface JsonWithLines {
  readonly value: unknown;
  /** The line, from 1, on which a value begins; that of what it would stand in when there is none. */
  lineOf(path: Path): number;
}

/** Text that is not JSON, or in which a key is repeated. */
export class NotJson extends Error {
  override readonly name = 'NotJson';
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/**
 * Parses JSON that people write, and remembers where each value stands.
 *
 * @throws {NotJson}
 */
export function parseJsonWithLines(text: string): JsonWithLines {
  const tokens = tokensOf(text);
  const lines = new Map<string, number>();
  const value = readValue(tokens, [], lines);
  if (tokens.next.text !== END) throw unexpected(tokens.next);
  return { value, lineOf: (path) => lineOf(lines, path) };
}

/** A string, or what a number or a name is made of, or any other character. */
const TOKENS = /"(?:[^"\\\n]|\\.)*"|[\w.+-]+|[^ \t\r\n]/gu;
const END = '';

interface Token {
  readonly text: string;
  readonly line: number;
}

interface Tokens {
  /** The one that `take` takes. */
  readonly next: Token;
  take(): Token;
}

function tokensOf(text: string): Tokens {
  const found = text.matchAll(TOKENS);
  let [line, offset] = [1, 0];
  const read = (): Token => {
    const { value: match } = found.next();
    const end = match?.index ?? text.length;
    line += text.slice(offset, end).split('\n').length - 1;
    offset = end;
    return { text: match?.[0] ?? END, line };
  };
  let next = read();
  return {
    get next() {
      return next;
    },
    take() {
      const taken = next;
      next = read();
      return taken;
    },
  };
}

function readValue(tokens: Tokens, path: Path, lines: Map<string, number>): unknown {
  const token = tokens.take();
  lines.set(JSON.stringify(path), token.line);
  if (token.text === '[') return readArray(tokens, path, lines);
  if (token.text === '{') return readObject(tokens, path, lines);
  return readScalar(token);
}

function readScalar(token: Token): unknown {
  try {
    return JSON.parse(token.text);
  } catch {
    throw unexpected(token);
  }
}

function readArray(tokens: Tokens, path: Path, lines: Map<string, number>): unknown[] {
  const items: unknown[] = [];
  readItems(tokens, ']', () => {
    items.push(readValue(tokens, [...path, items.length], lines));
  });
  return items;
}

function readObject(tokens: Tokens, path: Path, lines: Map<string, number>): unknown {
  const entries = new Map<string, unknown>();
  readItems(tokens, '}', () => {
    const name = tokens.take();
    if (!name.text.startsWith('"')) throw unexpected(name);
    const key = String(readScalar(name));
    if (entries.has(key)) throw new NotJson(name.line, `${key} is repeated`);
    expect(tokens, ':');
    entries.set(key, readValue(tokens, [...path, key], lines));
  });
  return Object.fromEntries(entries);
}

function readItems(tokens: Tokens, end: ']' | '}', readItem: () => void): void {
  if (tokens.next.text !== end) {
    readItem();
    while (tokens.next.text === ',') {
      tokens.take();
      readItem();
    }
  }
  expect(tokens, end);
}

function expect(tokens: Tokens, text: string): void {
  const token = tokens.take();
  if (token.text !== text) throw unexpected(token);
}

function unexpected({ text, line }: Token): NotJson {
  return new NotJson(line, text === END ? 'the file ends too early' : `${text} is not expected here`);
}

function lineOf(lines: ReadonlyMap<string, number>, path: Path): number {
  const line = lines.get(JSON.stringify(path));
  return line ?? (path.length === 0 ? 1 : lineOf(lines, path.slice(0, -1)));
}
