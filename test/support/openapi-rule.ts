import { describe, expect, test } from 'vitest';
import { changedAt, type Found, objectsIn } from './json-parts.ts';
import { openApiText } from './openapi.ts';

/** A rule of the published document, for generators of clients and for the people who read the generated code. */
export interface Rule {
  readonly says: string;
  /** Where the document breaks the rule. */
  readonly faults: (found: readonly Found[]) => readonly string[];
  /** A path at which another value breaks the rule. */
  readonly broken: readonly [path: readonly string[], to: unknown];
}

export function testRules(rules: readonly Rule[]): void {
  describe.each(rules)('in the published document $says', ({ faults, broken: [path, to] }) => {
    const document: unknown = JSON.parse(openApiText);

    test('everywhere', () => {
      expect(faults(objectsIn(document))).toEqual([]);
    });

    test('and is missed where it does not', () => {
      expect(faults(objectsIn(changedAt(document, path, to)))).not.toEqual([]);
    });
  });
}

export const nameOf = ({ path }: Found) => path.join(' ');
