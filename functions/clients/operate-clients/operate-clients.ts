import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as clientCommands from '#shared/clients/client-commands.ts';
import type { CreateClientKey } from '#shared/clients/client-keys.ts';
import { createClientOnboarding } from '#shared/clients/client-onboarding.ts';
import { createFindClient } from '#shared/clients/client-repository.ts';
import type { CostlyCall } from '#shared/clients/daily-allowances.ts';
import * as userCommands from '#shared/clients/user-commands.ts';
import { createUserOnboarding } from '#shared/clients/user-repository.ts';
import type { EventBus } from '#shared/platform/aws/event-bus.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { createRegisterCommand } from '#shared/platform/operators/audited.ts';
import { type Handler, routeByPath } from '#shared/platform/operators/route-by-path.ts';
import { changeCertificates } from './certificates.ts';
import { changeApproval } from './change-approval.ts';
import { createClient } from './create-client.ts';
import { endPreviousSecret, rotateSecret } from './rotate-secret.ts';
import { setLimits } from './set-limits.ts';
import { addUser, updateUser } from './users.ts';
import { declareWallet, withdrawWallet } from './wallets.ts';

/** 256 bits: a secret that nobody can guess. */
const SECRET_BYTES = 32;

interface Dependencies {
  readonly dynamo: DynamoDBDocumentClient;
  readonly tables: Readonly<Record<'audit' | 'clients' | 'users' | 'wallets', string>>;
  readonly bus: EventBus;
  readonly createKey: CreateClientKey;
  /** The stage's daily limits of each client. */
  readonly mostPerDay: Readonly<Record<CostlyCall, number>>;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly randomBytes: (size: number) => Buffer;
}

/** All changes of operators to clients, users and wallets. */
export function operateClients(deps: Dependencies): Handler {
  const { dynamo, tables, bus, createKey, mostPerDay, clock, newId, randomBytes } = deps;
  const registerCommand = createRegisterCommand(dynamo, tables.audit, clock, newId);
  const clients = createClientOnboarding(dynamo, tables.clients, clock);
  const users = createUserOnboarding(dynamo, tables);
  const findClient = createFindClient(dynamo, tables.clients);
  const approval = { findClient, bus, newId };
  const certificates = { clients, findClient, clock };
  const newSecret = () => randomBytes(SECRET_BYTES).toString('base64url');
  return routeByPath(
    new Map([
      registerCommand(
        clientCommands.createClientContract,
        createClient({ clients, createKey, clock, newId, newSecret }),
      ),
      registerCommand(
        clientCommands.approveClientContract,
        changeApproval(approval, { complianceStatus: 'approved', status: 'approved' }),
      ),
      registerCommand(clientCommands.suspendClientContract, changeApproval(approval, { status: 'suspended' })),
      registerCommand(clientCommands.rotateSecretContract, rotateSecret({ clients, findClient, clock, newSecret })),
      registerCommand(clientCommands.endPreviousSecretContract, endPreviousSecret({ clients, findClient })),
      registerCommand(clientCommands.setLimitsContract, setLimits({ clients, findClient, mostPerDay, clock })),
      registerCommand(clientCommands.declareCertificateContract, changeCertificates(certificates, 'declare')),
      registerCommand(clientCommands.withdrawCertificateContract, changeCertificates(certificates, 'withdraw')),
      registerCommand(userCommands.addUserContract, addUser({ findClient, users, newId })),
      registerCommand(userCommands.updateUserContract, updateUser({ users, clock })),
      registerCommand(userCommands.declareWalletContract, declareWallet({ users })),
      registerCommand(userCommands.withdrawWalletContract, withdrawWallet({ users })),
    ]),
  );
}
