import {
  BatchGetItemCommand,
  type BatchGetItemCommandInput,
  DeleteItemCommand,
  GetItemCommand,
  type GetItemCommandInput,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { expectKnown } from './known-parameters.ts';
import { Unsupported } from './unsupported.ts';
import type { Write } from './write.ts';

/** A command of the SDK, by what it does. */
export type Request =
  | { readonly does: 'GET'; readonly input: GetItemCommandInput }
  | { readonly does: 'QUERY'; readonly input: QueryCommandInput }
  | { readonly does: 'BATCH_GET'; readonly input: BatchGetItemCommandInput }
  /** A write of one item, with its conditions. */
  | { readonly does: 'WRITE'; readonly writes: readonly [Write] }
  | { readonly does: 'TRANSACTION'; readonly writes: readonly Write[] };

/** @throws {Unsupported} for a command or a parameter that is not implemented */
export function requestOf(command: object): Request {
  if (command instanceof GetItemCommand) return { does: 'GET', input: expectKnown('GET', command.input) };
  if (command instanceof QueryCommand) return { does: 'QUERY', input: expectKnown('QUERY', command.input) };
  if (command instanceof BatchGetItemCommand) {
    return { does: 'BATCH_GET', input: expectKnown('BATCH_GET', command.input) };
  }
  if (command instanceof PutItemCommand) return writeOf({ kind: 'Put', ...command.input });
  if (command instanceof UpdateItemCommand) return writeOf({ kind: 'Update', ...command.input });
  if (command instanceof DeleteItemCommand) return writeOf({ kind: 'Delete', ...command.input });
  if (command instanceof TransactWriteItemsCommand) {
    const { TransactItems = [] } = expectKnown('TRANSACTION', command.input);
    return { does: 'TRANSACTION', writes: TransactItems.map(legOf) };
  }
  throw new Unsupported(command.constructor.name);
}

function writeOf(write: Write): Request {
  return { does: 'WRITE', writes: [expectKnown('WRITE', write)] };
}

/** Returns the writes of a request; none for a read. */
export function writesOf(request: Request): readonly Write[] {
  return 'writes' in request ? request.writes : [];
}

function legOf({ Put, Update, Delete, ConditionCheck }: TransactWriteItem): Write {
  if (Put !== undefined) return expectKnown('WRITE', { kind: 'Put', ...Put });
  if (Update !== undefined) return expectKnown('WRITE', { kind: 'Update', ...Update });
  if (Delete !== undefined) return expectKnown('WRITE', { kind: 'Delete', ...Delete });
  if (ConditionCheck !== undefined) return expectKnown('WRITE', { kind: 'ConditionCheck', ...ConditionCheck });
  throw new Unsupported('a leg of no kind');
}
