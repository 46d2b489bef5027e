import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as clientCommands from '#shared/clients/client-commands.ts';
import { createClientOnboarding } from '#shared/clients/client-onboarding-store.ts';
import { createFindClient } from '#shared/clients/client-store.ts';
import * as userCommands from '#shared/clients/user-commands.ts';
import { createUserOnboarding } from '#shared/clients/user-onboarding-store.ts';
import { byPath, type Handler } from '#shared/operators/by-path.ts';
import type { EventBus } from '#shared/platform/aws/event-bus.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { operatorEndpoint } from '#shared/platform/http/endpoints.ts';
import { createAudit } from './audit-store.ts';
import { audited, type Change, type Command } from './audited.ts';
import { changeApproval } from './change-approval.ts';
import { createClient } from './create-client.ts';
import { rotateSecret } from './rotate-secret.ts';
import { addUser, updateUser } from './users.ts';
import { declareWallet, withdrawWallet } from './wallets.ts';

interface Dependencies {
  readonly dynamo: DynamoDBDocumentClient;
  readonly tables: Readonly<Record<'audit' | 'clients' | 'users' | 'wallets', string>>;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly randomBytes: (size: number) => Buffer;
}

/** 256 bits: a secret that nobody can guess. */
const SECRET_BYTES = 32;

/** All that operators change: one function for all of it, since they are few. What they look up is another's. */
export function operate({ dynamo, tables, bus, clock, newId, randomBytes }: Dependencies): Handler {
  const auditing = { audit: createAudit(dynamo, tables.audit), clock, newId };
  const clients = createClientOnboarding(dynamo, tables.clients, clock);
  const users = createUserOnboarding(dynamo, tables);
  const findClient = createFindClient(dynamo, tables.clients);
  const approval = { findClient, bus };
  const newSecret = () => randomBytes(SECRET_BYTES).toString('base64url');

  const change = <C extends Command>(contract: C, does: Change<C>): readonly [string, Handler] => [
    contract.path,
    operatorEndpoint(contract, clock, audited(auditing, contract, does)),
  ];
  const handlers = new Map<string, Handler>([
    change(clientCommands.createClient, createClient({ clients, clock, newId, newSecret })),
    change(
      clientCommands.approveClient,
      changeApproval(approval, { complianceStatus: 'approved', status: 'approved' }),
    ),
    change(clientCommands.suspendClient, changeApproval(approval, { status: 'suspended' })),
    change(clientCommands.rotateSecret, rotateSecret({ clients, findClient, clock, newSecret })),
    change(userCommands.addUser, addUser({ findClient, users, newId })),
    change(userCommands.updateUser, updateUser({ users })),
    change(userCommands.declareWallet, declareWallet({ users })),
    change(userCommands.withdrawWallet, withdrawWallet({ users })),
  ]);
  return byPath(handlers);
}
