import { invalid } from './exceptions.ts';
import { RESERVED_WORDS } from './reserved-words.ts';
import { Unsupported } from './unsupported.ts';

const TOKEN = /\s*(<=|>=|<>|[=<>(),+-]|[#:]?\w+)/y;

/** Tokens of a DynamoDB expression, read from left to right. */
export interface Tokens {
  /** Reads the next token if it is this one; keywords in any case. */
  take(token: string): boolean;
  /** @throws {Unsupported} if the next token is another one */
  expect(token: string): void;
  /** Reads an attribute's name or its alias. */
  name(): string;
  /** Reads the alias of a value. */
  value(): string;
  peek(): string | undefined;
  /** @throws {Unsupported} if anything follows */
  expectEnd(): void;
  /** Every `#name` and `:value` read so far. */
  readonly aliases: ReadonlySet<string>;
  /** Every attribute's name or `#name` read so far. */
  readonly names: ReadonlySet<string>;
}

/** In bytes. */
const LONGEST_EXPRESSION = 4096;

export function tokensOf(text: string): Tokens {
  if (text.trim() === '') throw invalid('The expression can not be empty');
  if (Buffer.byteLength(text) > LONGEST_EXPRESSION)
    throw invalid('Expression size has exceeded the maximum allowed size');
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  for (let end = 0; text.slice(end).trim() !== ''; end = TOKEN.lastIndex) {
    const token = TOKEN.exec(text)?.[1];
    if (token === undefined) throw new Unsupported(text.slice(end));
    tokens.push(token);
  }
  const aliases = new Set<string>();
  const names = new Set<string>();
  let index = 0;
  const peek = () => tokens[index];
  const refuse = (): never => {
    throw new Unsupported(`${peek() ?? 'the end'} in ${text}`);
  };
  const read = (shape: RegExp): string => {
    const token = peek();
    if (token === undefined || !shape.test(token)) return refuse();
    if (/^[#:]/.test(token)) aliases.add(token);
    index += 1;
    return token;
  };
  const take = (token: string): boolean => {
    const isNext = peek()?.toUpperCase() === token;
    if (isNext) index += 1;
    return isNext;
  };
  const readName = (): string => {
    const name = read(/^#?[a-z_]\w*$/i);
    if (RESERVED_WORDS.has(name.toUpperCase())) throw invalid(`Attribute name is a reserved keyword: ${name}`);
    names.add(name);
    return name;
  };
  return {
    aliases,
    names,
    peek,
    take,
    expect: (token) => {
      if (!take(token)) refuse();
    },
    expectEnd: () => {
      if (index < tokens.length) refuse();
    },
    name: readName,
    value: () => read(/^:\w+$/),
  };
}
