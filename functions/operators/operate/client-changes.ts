import * as clientCommands from '#shared/clients/client-commands.ts';
import { createClientOnboarding } from '#shared/clients/client-onboarding-store.ts';
import { createFindClient } from '#shared/clients/client-store.ts';
import * as userCommands from '#shared/clients/user-commands.ts';
import { createUserOnboarding } from '#shared/clients/user-onboarding-store.ts';
import { changeApproval } from './change-approval.ts';
import { createClient } from './create-client.ts';
import type { Changes } from './dependencies.ts';
import { rotateSecret } from './rotate-secret.ts';
import { addUser, updateUser } from './users.ts';
import { declareWallet, withdrawWallet } from './wallets.ts';

/** 256 bits: a secret that nobody can guess. */
const SECRET_BYTES = 32;

/** Of clients, users and wallets. */
export const clientChanges: Changes = (underAudit, { dynamo, tables, bus, createKey, clock, newId, randomBytes }) => {
  const clients = createClientOnboarding(dynamo, tables.clients, clock);
  const users = createUserOnboarding(dynamo, tables);
  const findClient = createFindClient(dynamo, tables.clients);
  const approval = { findClient, bus };
  const newSecret = () => randomBytes(SECRET_BYTES).toString('base64url');
  return [
    underAudit(clientCommands.createClient, createClient({ clients, createKey, clock, newId, newSecret })),
    underAudit(
      clientCommands.approveClient,
      changeApproval(approval, { complianceStatus: 'approved', status: 'approved' }),
    ),
    underAudit(clientCommands.suspendClient, changeApproval(approval, { status: 'suspended' })),
    underAudit(clientCommands.rotateSecret, rotateSecret({ clients, findClient, clock, newSecret })),
    underAudit(userCommands.addUser, addUser({ findClient, users, newId })),
    underAudit(userCommands.updateUser, updateUser({ users })),
    underAudit(userCommands.declareWallet, declareWallet({ users })),
    underAudit(userCommands.withdrawWallet, withdrawWallet({ users })),
  ];
};
