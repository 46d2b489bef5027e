import * as z from 'zod/mini';
import type { Found } from '#test/support/json-parts.ts';
import { nameOf, type Rule, testRules } from '#test/support/openapi-rule.ts';

const isExample = ({ path }: Found) => path.includes('example') || path.includes('examples');
const isComponent = ({ path }: Found) => path.length === 3 && path[1] === 'schemas';
const isProperty = ({ path }: Found) => path.at(-2) === 'properties';
const isSchema = (one: Found) =>
  !isExample(one) && (isComponent(one) || isProperty(one) || ['schema', 'items'].includes(one.path.at(-1) ?? ''));

const schemasIn = (found: readonly Found[]) => found.filter(isSchema);
const schema = (name: string, ...rest: readonly string[]) => ['components', 'schemas', name, ...rest];
const property = (owner: string, name: string, ...rest: readonly string[]) =>
  schema(owner, 'properties', name, ...rest);

const list = z.catch(z.array(z.unknown()), []);
const typesOf = ({ value }: Found) => [value['type']].flat().filter((type) => type !== undefined && type !== 'null');
const descriptionOf = ({ value }: Found) => String(value['description'] ?? '');

testRules([
  {
    says: 'every named schema and every property says what it is',
    faults: (found) =>
      found
        .filter((one) => !isExample(one) && (isComponent(one) || isProperty(one)))
        .filter((one) => !/^[A-Z].*\w.*$/s.test(descriptionOf(one)))
        .map(nameOf),
    broken: [property('Payin', 'amount', 'description'), ''],
  },
  {
    says: 'nothing forbids fields that a client does not know yet',
    faults: (found) => found.filter(({ value }) => value['additionalProperties'] === false).map(nameOf),
    broken: [schema('Payin', 'additionalProperties'), false],
  },
  {
    says: 'every object has a name, so that generators do not invent one for each place',
    faults: (found) =>
      schemasIn(found)
        .filter((one) => 'properties' in one.value && !isComponent(one))
        .map(nameOf),
    broken: [property('Payin', 'id'), { description: 'Id.', type: 'object', properties: {} }],
  },
  {
    says: 'every list of values has a name, and says that it may grow',
    faults: (found) =>
      schemasIn(found)
        .filter(({ value }) => list.parse(value['enum']).filter((one) => one !== null).length > 1)
        .filter((one) => !(isComponent(one) || isNullable(one)) || (isComponent(one) && !saysThatItMayGrow(one)))
        .map(nameOf),
    broken: [property('Payin', 'status'), { description: 'Status.', type: 'string', enum: ['PENDING', 'COMPLETED'] }],
  },
  {
    says: 'no boolean has a list of values, of which generators make texts',
    faults: (found) =>
      schemasIn(found)
        .filter((one) => 'enum' in one.value && typesOf(one).includes('boolean'))
        .map(nameOf),
    broken: [property('Token', 'status', 'enum'), [true]],
  },
  {
    says: 'every value has one type, or null',
    faults: (found) =>
      schemasIn(found)
        .filter(
          (one) =>
            typesOf(one).length > 1 || ['anyOf', 'oneOf', 'allOf'].some((combination) => combination in one.value),
        )
        .map(nameOf),
    broken: [property('CreateWithdrawalRequest', 'amount', 'type'), ['string', 'number']],
  },
  {
    says: 'a list of values that may be null has null among them',
    faults: (found) =>
      schemasIn(found)
        .filter((one) => 'enum' in one.value && isNullable(one) && !list.parse(one.value['enum']).includes(null))
        .map(nameOf),
    broken: [property('PayinStatusChangedEventData', 'previousStatus', 'enum'), ['PENDING', 'COMPLETED']],
  },
  {
    says: 'money that is a number is a double, and what is counted is an integer',
    faults: (found) =>
      schemasIn(found)
        .filter((one) => typesOf(one).includes('number') && one.value['format'] !== 'double')
        .map(nameOf),
    broken: [property('Payin', 'amount', 'format'), 'float'],
  },
  {
    says: 'money that is a text has a pattern',
    faults: (found) =>
      schemasIn(found)
        .filter((one) => isProperty(one) && one.path.at(-1) === 'amount' && typesOf(one).includes('string'))
        .filter(({ value }) => value['pattern'] === undefined)
        .map(nameOf),
    broken: [property('Operation', 'amount', 'pattern'), undefined],
  },
  {
    says: 'no name is one that generators give to a class or type of their own',
    faults: (found) => found.filter((one) => isComponent(one) && TAKEN.test(one.path[2] ?? '')).map(nameOf),
    broken: [schema('Client'), { description: 'A client.', type: 'object' }],
  },
  {
    says: 'a cursor is said to be opaque',
    faults: (found) =>
      found
        .filter(({ path, value }) => path.at(-1) === 'nextCursor' || (value['name'] === 'cursor' && value['in']))
        .filter((one) => !isExample(one) && !descriptionOf(one).startsWith('Opaque'))
        .map(nameOf),
    broken: [property('PayinPage', 'nextCursor', 'description'), 'The last id.'],
  },
  {
    says: 'no named schema is without use',
    faults: (found) => {
      const used = new Set(found.map(({ value }) => value['$ref']));
      return found.filter((one) => isComponent(one) && !used.has(`#/${one.path.join('/')}`)).map(nameOf);
    },
    broken: [schema('Unused'), { description: 'Nothing.', type: 'object' }],
  },
  {
    says: 'a token request needs no field, because HTTP Basic may stand for all of them',
    faults: (found) =>
      found.filter((one) => isComponent(one) && one.path[2] === 'TokenRequest' && 'required' in one.value).map(nameOf),
    broken: [schema('TokenRequest', 'required'), ['client_id']],
  },
] satisfies readonly Rule[]);

/** Names of the client class in Go and Python, and of classes that generators for them, Java and TypeScript add. */
const TAKEN =
  /^(Client|AuthenticatedClient|ClientWithResponses|ApiClient|ApiError|ApiException|Configuration|Error|Object|Response)$/;

function isNullable({ value }: Found): boolean {
  return list.parse(value['type']).includes('null');
}

function saysThatItMayGrow(one: Found): boolean {
  return descriptionOf(one).includes('Values may be added');
}
