import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { RESERVED_WORDS } from './reserved-words.ts';
import { tokensOf } from './tokens.ts';

/*
 * What any function sends is understood: a command, a parameter or a function of an expression that the tables in memory do
 * not know would end a round, but only one that comes by it.
 */

const root = fileURLToPath(new URL('../../../../', import.meta.url));

const sources = globSync('{shared,functions}/**/*.ts', { cwd: root }).map((file) => ({
  file,
  text: readFileSync(`${root}${file}`, 'utf8').replaceAll(/\/\*.*?\*\/|^\s*\/\/.*$/gms, ''),
}));

const COMMANDS = ['BatchGet', 'Delete', 'Get', 'Put', 'Query', 'TransactWrite', 'Update'].map(
  (name) => `${name}Command`,
);

/** Of `shared/platform/dynamodb/client.ts`, of errors, and of answers to what was sent. */
const OTHERS = ['DynamoDBClient', 'DynamoDBDocumentClient', 'paginateQuery', 'AttributeValue', 'ServiceException'];

test('every command that the service takes from the SDK is one that the tables in memory answer', () => {
  const imports = sources.flatMap(({ text }) => [
    ...text.matchAll(/import \{([^}]*)\} from '@aws-sdk\/(lib|client)-dynamodb'/g),
  ]);
  const names = imports.flatMap(([, list = '']) => list.split(',').map((name) => name.replace('type ', '').trim()));
  const unknown = names.filter(
    (name) =>
      name !== '' &&
      !COMMANDS.includes(name.replace(/(Input|Output)$/, '')) &&
      !OTHERS.includes(name) &&
      !name.endsWith('Exception'),
  );
  expect(unknown).toEqual([]);
  expect(names).toEqual(expect.arrayContaining(COMMANDS));
});

test('no parameter is used that changes what a request does, and that they do not know', () => {
  const unknown =
    /\b(Select|ProjectionExpression|AttributesToGet|Expected|AttributeUpdates|KeyConditions|QueryFilter|ConditionalOperator|ClientRequestToken|ReturnConsumedCapacity|ReturnItemCollectionMetrics)\b\s*:/g;
  expect(sources.flatMap(({ file, text }) => [...text.matchAll(unknown)].map(([name]) => `${file}: ${name}`))).toEqual(
    [],
  );
});

const FUNCTIONS = ['attribute_exists', 'attribute_not_exists', 'begins_with', 'if_not_exists', 'list_append', 'size'];
const KEYWORDS = ['SET', 'ADD', 'REMOVE', 'DELETE', 'AND', 'OR', 'NOT', 'IN', 'BETWEEN'];

/** Texts with a name or a value of an expression in them, in which what is inserted is an attribute. */
const expressions = sources
  .filter(({ text }) => text.includes('dynamodb'))
  .flatMap(({ text }) => [...text.matchAll(/'([^'\n]*)'|`([^`]*)`/g)])
  .map(([, plain, template]) =>
    (plain ?? template ?? '').replaceAll(/\$\{[^{}]*(\{[^}]*\}[^{}]*)*\}/g, 'y').replace(/\$\{[^}]*$/, ''),
  )
  .filter((text) => /(^|[\s(,])[#:][a-z]\w*/i.test(text) && /=|<|>|\bADD\b|\bREMOVE\b|_exists|begins_with/.test(text));

test.each(expressions)('they know each word of “%s”, and no name in it is reserved', (text) => {
  expect(() => tokensOf(text)).not.toThrow();
  const words = [...text.matchAll(/(?<![#:\w])(\w+)(\s*\()?/g)].map(([, word = '', call]) => ({
    word,
    isCalled: call !== undefined,
  }));
  const others = words.filter(({ word }) => !KEYWORDS.includes(word.toUpperCase()));
  expect(others.filter(({ word, isCalled }) => isCalled !== FUNCTIONS.includes(word))).toEqual([]);
  expect(others.filter(({ word, isCalled }) => !isCalled && RESERVED_WORDS.has(word.toUpperCase()))).toEqual([]);
});

test('the expressions of the service are among them', () => {
  expect(expressions).toContain('SET claimToken = :token, leaseUntil = :until, claims = claims + :one');
  expect(expressions.length).toBeGreaterThan(40);
});
