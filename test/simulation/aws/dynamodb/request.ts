import type {
  BatchGetItemCommandInput,
  DeleteItemCommandInput,
  GetItemCommandInput,
  PutItemCommandInput,
  QueryCommandInput,
  TransactWriteItem,
  TransactWriteItemsCommandInput,
  UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { Unsupported } from './unsupported.ts';
import type { Write } from './writes.ts';

/** A command of the SDK, as it is sent. */
export interface Request {
  readonly name: string | undefined;
  readonly input: object;
}

interface Inputs {
  readonly GetItemCommand: GetItemCommandInput;
  readonly QueryCommand: QueryCommandInput;
  readonly BatchGetItemCommand: BatchGetItemCommandInput;
  readonly PutItemCommand: PutItemCommandInput;
  readonly UpdateItemCommand: UpdateItemCommandInput;
  readonly DeleteItemCommand: DeleteItemCommandInput;
  readonly TransactWriteItemsCommand: TransactWriteItemsCommandInput;
}

/** A command's name says what its input is. */
export function is<Name extends keyof Inputs>(
  name: Name,
  request: Request,
): request is { readonly name: Name; readonly input: Inputs[Name] } {
  return request.name === name;
}

/** What a request writes, with all of its conditions; nothing for a read. */
export function writesOf(request: Request): readonly Write[] {
  if (is('PutItemCommand', request)) return [{ kind: 'Put', ...request.input }];
  if (is('UpdateItemCommand', request)) return [{ kind: 'Update', ...request.input }];
  if (is('DeleteItemCommand', request)) return [{ kind: 'Delete', ...request.input }];
  return is('TransactWriteItemsCommand', request) ? (request.input.TransactItems ?? []).map(legOf) : [];
}

function legOf({ Put, Update, Delete, ConditionCheck }: TransactWriteItem): Write {
  if (Put !== undefined) return { kind: 'Put', ...Put };
  if (Update !== undefined) return { kind: 'Update', ...Update };
  if (Delete !== undefined) return { kind: 'Delete', ...Delete };
  if (ConditionCheck !== undefined) return { kind: 'ConditionCheck', ...ConditionCheck };
  throw new Unsupported('a leg of no kind');
}
