import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { mapValues } from '#shared/platform/map-values.ts';

/** What the client below sends for those of the document client's commands that have another name. */
const commands: Readonly<Record<string, string>> = {
  GetCommand: 'GetItemCommand',
  PutCommand: 'PutItemCommand',
  UpdateCommand: 'UpdateItemCommand',
  DeleteCommand: 'DeleteItemCommand',
  BatchGetCommand: 'BatchGetItemCommand',
  TransactWriteCommand: 'TransactWriteItemsCommand',
};

/** The parts of inputs and outputs that are items or keys, and those that are lists of them. */
const ITEMS = ['Item', 'Key', 'Attributes', 'ExpressionAttributeValues', 'ExclusiveStartKey', 'LastEvaluatedKey'];
const LISTS = ['Items', 'Keys'];

/**
 * Does for a command what the document client does between the service and the client below it. Like there, the items of
 * errors stay as they are.
 */
export function throughDocumentClient<Output extends object>(
  send: (request: { readonly name: string; readonly input: object }) => Promise<Output>,
) {
  return async ({ name, input }: { readonly name: string; readonly input: object }): Promise<object> => {
    const output = await send({ name: commands[name] ?? name, input: translated(input, asItem) });
    return translated(output, unmarshall);
  };
}

const asItem: Translate = (record) => marshall(record, { removeUndefinedValues: true });

// biome-ignore lint/suspicious/noExplicitAny: what is a part of an input is for the document client to say.
type Translate = (record: any) => object;

function translated(message: object, translate: Translate): object {
  const entries = Object.entries(message).map(([name, part]) => [name, translatedPart(name, part, translate)] as const);
  return Object.fromEntries(entries);
}

function translatedPart(name: string, part: unknown, translate: Translate): unknown {
  if (ITEMS.includes(name) && part !== undefined) return translate(part);
  if (Array.isArray(part)) return part.map((one) => (LISTS.includes(name) ? translate(one) : legOf(one, translate)));
  if (typeof part !== 'object' || part === null) return part;
  if (name === 'Responses') return mapValues({ ...part }, (items: object[]) => items.map(translate));
  return translated(part, translate);
}

function legOf(one: unknown, translate: Translate): unknown {
  return typeof one === 'object' && one !== null ? translated(one, translate) : one;
}
