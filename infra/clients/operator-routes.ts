import * as z from 'zod/mini';
import { AUDITED_CHANGES, type EffectLookup, type OperatorRoute } from '#infra/platform/operator-route.ts';
import {
  approveClientContract,
  createClientContract,
  declareCertificateContract,
  endPreviousSecretContract,
  rotateSecretContract,
  setLimitsContract,
  suspendClientContract,
  withdrawCertificateContract,
} from '#shared/clients/client-commands.ts';
import {
  listClientsContract,
  listUsersAsOperatorContract,
  readClientContract,
  readUserContract,
} from '#shared/clients/client-lookups.ts';
import {
  addUserContract,
  declareWalletContract,
  updateUserContract,
  withdrawWalletContract,
} from '#shared/clients/user-commands.ts';
import { newClientExample } from './new-client-example.ts';

const clientId = 'b92fb70e-2404-49d7-85d2-6467c7491275';
const userId = 'be0bf1de-c9ec-44c2-8e90-f7aa67fa918c';
const walletId = 'ad495498-a912-42de-ba49-1ee162dd0f19';
const address = '0x92fc3442ead6457e404d7e8eb5e4dc332f86f7b0';

const rotation = rotateSecretContract.body;

const wordsOfApproval = { complianceStatus: z.string(), status: z.string() };
const read = z.object({ ...wordsOfApproval, resultIds: z.array(z.string()) });

/** An approval is in force once its event was applied and no later event has replaced it. */
function inForce(isSo: (approval: z.infer<typeof read>) => boolean): EffectLookup {
  return {
    contract: readClientContract,
    query: (changed) => ({ clientId: approveClientContract.success.body.parse(changed).clientId }),
    assess: (changed, found) => {
      const { eventId } = approveClientContract.success.body.parse(changed);
      const approval = read.parse(found);
      const isApplied = approval.resultIds.includes(eventId);
      return {
        says: `the client's compliance status is ${approval.complianceStatus}, its status ${approval.status}`,
        isInForce: isApplied && isSo(approval),
      };
    },
  };
}

/** Onboarding: operators' look-ups and changes of clients, users and wallets. */
export const clientOperatorRoutes: readonly OperatorRoute[] = [
  {
    contract: createClientContract,
    tables: { clients: ['PutItem', 'GetItem'] },
    permissions: ['make keys of clients'],
    example: newClientExample,
    showsSecret: true,
  },
  {
    contract: approveClientContract,
    tables: { clients: ['GetItem'] },
    permissions: ['put events of compliance on the bus'],
    example: { clientId },
    question: 'From now on the client may create pay-ins and off-ramps. Approve it?',
    effect: inForce(({ complianceStatus, status }) => complianceStatus === 'approved' && status === 'approved'),
  },
  {
    contract: suspendClientContract,
    tables: { clients: ['GetItem'] },
    permissions: ['put events of compliance on the bus'],
    example: { clientId },
    question: 'From now on the client may change nothing; its open orders go on. Suspend it?',
    effect: inForce(({ status }) => status !== 'approved'),
  },
  {
    contract: rotateSecretContract,
    tables: { clients: ['GetItem', 'UpdateItem'] },
    example: { clientId },
    showsSecret: true,
    question: (asked) =>
      rotation.safeParse(asked).data?.arguments.now
        ? 'Every other secret of the client ends now: its systems are refused until they have the new one. End them?'
        : 'The secrets that are valid stay so for 24 more hours. Create another?',
  },
  {
    contract: endPreviousSecretContract,
    tables: { clients: ['GetItem', 'UpdateItem'] },
    example: { clientId },
    question:
      'Systems of the client that still use the previous secret are refused. Do all of them use the newest one?',
  },
  {
    contract: setLimitsContract,
    tables: { clients: ['GetItem', 'UpdateItem'] },
    environment: ({ mostPerDay }) => ({ MOST_PER_DAY: JSON.stringify(mostPerDay) }),
    example: { clientId, offRamps: 50_000 },
    question: 'These limits of a day apply from the next call of the client on. Set them?',
  },
  {
    contract: declareCertificateContract,
    tables: { clients: ['GetItem', 'UpdateItem'] },
    example: { clientId, subject: 'CN=api.client.example,O=Client,C=CO' },
    question:
      'From now on the client needs a named certificate for tokens and changes. Is this the one in the access log?',
  },
  {
    contract: withdrawCertificateContract,
    tables: { clients: ['GetItem', 'UpdateItem'] },
    example: { clientId, subject: 'CN=api.client.example,O=Client,C=CO' },
    question: 'With this certificate the client gets no more tokens, unless it was the last one. Withdraw it?',
  },
  { contract: readClientContract, tables: { clients: ['GetItem'], audit: AUDITED_CHANGES }, example: { clientId } },
  {
    contract: listClientsContract,
    tables: { clients: ['GetItem', 'Query:byName', 'BatchGetItem'] },
    argument: 'name',
    example: { name: 'pagos' },
  },
  {
    contract: addUserContract,
    tables: { clients: ['GetItem'], users: ['PutItem'] },
    example: { clientId, payer: { phone: '3001234567', documentType: 'CC' } },
  },
  {
    contract: updateUserContract,
    tables: { users: ['GetItem', 'UpdateItem'] },
    example: { userId, payer: { phone: '3007654321' } },
    changesFieldsOf: { contract: readUserContract, by: 'userId', within: 'payer' },
    question: 'Rails get the new values from the next pay-in on. Change them?',
  },
  {
    contract: declareWalletContract,
    tables: { users: ['GetItem'], wallets: ['PutItem'] },
    example: { userId, network: 'POLYGON', address },
    question: 'Deposits from this address count as deposits of this user. Declare it?',
  },
  {
    contract: withdrawWalletContract,
    tables: { wallets: ['DeleteItem'] },
    example: { userId, walletId },
    question: 'From now on the user cannot start off-ramps from this wallet; open ones go on. Withdraw it?',
  },
  {
    contract: readUserContract,
    tables: { users: ['GetItem'], wallets: ['Query'], audit: AUDITED_CHANGES },
    example: { userId },
  },
  {
    contract: listUsersAsOperatorContract,
    tables: { clients: ['GetItem'], users: ['Query:byClient', 'BatchGetItem'] },
    example: { clientId },
  },
];
