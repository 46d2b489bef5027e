import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { CreateClientKey } from '#shared/clients/client-keys.ts';
import type { Handler } from '#shared/operators/by-path.ts';
import type { EventBus } from '#shared/platform/aws/event-bus.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { SendDeliveryMessage } from '#shared/webhooks/delivery-messages.ts';
import type { SendReplayMessage } from '#shared/webhooks/replay-messages.ts';
import type { Change, Command } from './audited.ts';
import type { MoveDeadLetters } from './move-dead-letters.ts';

type OperatedTable =
  | 'audit'
  | 'clients'
  | 'users'
  | 'wallets'
  | 'operations'
  | 'hashes'
  | 'deposits'
  | 'payins'
  | 'events'
  | 'parameters'
  | 'webhooks'
  | 'webhookHealth'
  | 'deliveries';

export interface Dependencies {
  readonly dynamo: DynamoDBDocumentClient;
  readonly tables: Readonly<Record<OperatedTable, string>>;
  readonly bus: EventBus;
  readonly createKey: CreateClientKey;
  readonly sendDeliveryMessage: SendDeliveryMessage;
  readonly sendReplayMessage: SendReplayMessage;
  readonly moveDeadLetters: MoveDeadLetters;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly randomBytes: (size: number) => Buffer;
}

/** A command by its path, with what it does, under audit. */
export type UnderAudit = <C extends Command>(contract: C, change: Change<C>) => readonly [string, Handler];

/** What operators change of one module. */
export type Changes = (underAudit: UnderAudit, deps: Dependencies) => readonly (readonly [string, Handler])[];
