import { findNodeAtLocation, type Node, type ParseError, parseTree } from 'jsonc-parser';

type Path = readonly (string | number)[];

export interface JsonWithLines {
  readonly value: unknown;
  /** The line, from 1, on which a value begins; for a missing value, that of the value around it. */
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
 * Parses JSON that people write, and finds the line of each value.
 *
 * @throws {NotJson}
 */
export function parseJsonWithLines(text: string): JsonWithLines {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { disallowComments: true });
  const [error] = errors;
  if (error !== undefined || tree === undefined) throw unexpected(text, error?.offset ?? 0);
  refuseRepeatedKeys(text, tree);
  return {
    value: JSON.parse(text),
    lineOf(path) {
      for (let length = path.length; length > 0; length -= 1) {
        const node = findNodeAtLocation(tree, path.slice(0, length));
        if (node !== undefined) return lineAt(text, node.offset);
      }
      return lineAt(text, tree.offset);
    },
  };
}

/** A string, a number or name, or any other character. */
const TOKENS = /"(?:[^"\\\n]|\\.)*"|[\w.+-]+|[^ \t\r\n]/gu;

function unexpected(text: string, offset: number): NotJson {
  const token = [...text.matchAll(TOKENS)].find(({ index, 0: found }) => index + found.length > offset)?.[0];
  const message = token === undefined ? 'the file ends too early' : `${token} is not expected here`;
  return new NotJson(lineAt(text, offset), message);
}

function refuseRepeatedKeys(text: string, { type, children = [] }: Node): void {
  const seen = new Set<unknown>();
  for (const child of children) {
    const [name] = type === 'object' ? (child.children ?? []) : [];
    if (name !== undefined && seen.has(name.value))
      throw new NotJson(lineAt(text, name.offset), `${name.value} is repeated`);
    seen.add(name?.value);
    refuseRepeatedKeys(text, child);
  }
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
