import { CLIENT_ID, USER_ID, WALLET_ADDRESS, WALLET_ID } from '#infra/platform/example-ids.ts';
import { LIST_LIMITS, type Route } from '#infra/platform/route.ts';
import { issueTokenContract } from '#shared/clients/access-token-contract.ts';
import { getClientInfoContract } from '#shared/clients/client-contract.ts';
import { simulateClientContract } from '#shared/clients/client-sandbox-contract.ts';
import { listUsersContract, listWalletsContract } from '#shared/clients/user-contract.ts';

const registerDate = '2024-05-17 14:03:22.123456';

/** Access tokens and profiles of the calling clients. */
export const clientRoutes: readonly Route[] = [
  {
    contract: issueTokenContract,
    tables: { clients: ['GetItem'], allowances: ['UpdateItem'] },
    permissions: ['sign access tokens'],
    // Requests with a wrong secret have no limit here: the web ACL has a far lower one for each address.
    throttling: { all: { rate: 300, burst: 600 } },
    concurrencyGroup: 'token',
    hasVersions: true,
    isNamedByPolicy: true,
    impact: 'Clients get no access tokens; within five minutes they can do nothing at all.',
    example: {
      request: { client_id: CLIENT_ID, client_secret: 'shown-once-when-it-was-made', grant_type: 'client_credentials' },
      answer: {
        access_token: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIzZmE4In0.c2lnbmF0dXJl',
        token_type: 'Bearer',
        expires_in: 300,
      },
      remark:
        'OAuth 2.0 client credentials, as JSON or as a form. The id and the secret may come as HTTP Basic instead of in the body.',
    },
  },
  {
    contract: getClientInfoContract,
    tables: { clients: ['GetItem'] },
    impact: 'Clients cannot read their profile; everything else works.',
    example: {
      remark: 'A client that is not approved yet can read this, too, and see what is missing.',
      answer: {
        id: CLIENT_ID,
        clientType: 'b2b',
        complianceStatus: 'approved',
        status: 'approved',
        tradeName: 'Example Pagos',
        constitutionCity: 'Bogotá',
        constitutionState: 'Cundinamarca',
        constitutionCountryId: 170,
        constitutionDate: 'Fri, 17 May 2024 00:00:00 GMT',
        person: {
          id: CLIENT_ID,
          businessName: 'Example Pagos S.A.S.',
          firstName: 'Example Pagos',
          middleName: null,
          firstSurname: null,
          lastName: '',
          identificationType: 'NIT',
          identificationNro: '900123456',
          verificateDigit: 8,
          isJuridic: true,
          nationality: null,
          pep: null,
          registerDate,
          contactsData: [
            {
              personId: CLIENT_ID,
              dataTypeContact: 'email',
              dataValue: 'operations@client.example',
              isVerified: true,
              city: null,
              postalCode: null,
              registerDate,
            },
          ],
        },
      },
    },
  },
  {
    contract: listUsersContract,
    throttling: LIST_LIMITS,
    tables: { users: ['GetItem', 'BatchGetItem', 'Query:byClient'] },
    impact: 'Clients cannot list their users; everything else works.',
    example: {
      answer: {
        users: [
          {
            id: USER_ID,
            payer: {
              fullName: 'Ana Pérez',
              email: 'ana@client.example',
              documentType: 'CC',
              documentNumber: '1020304050',
              personType: 'NATURAL',
              acceptedTermsAt: '2026-11-20T15:00:00Z',
              phone: '3001234567',
            },
          },
        ],
        nextCursor: USER_ID,
      },
      remark: 'Operators of the service register users, at your request.',
    },
  },
  {
    contract: listWalletsContract,
    throttling: LIST_LIMITS,
    tables: { users: ['GetItem'], wallets: ['GetItem', 'Query'] },
    impact: 'Clients cannot list the wallets of their users; everything else works.',
    example: {
      answer: {
        wallets: [{ id: WALLET_ID, network: 'POLYGON', address: WALLET_ADDRESS }],
        nextCursor: WALLET_ID,
      },
      remark: 'Operators of the service declare wallets, at your request. A wallet that was withdrawn is not listed.',
    },
  },
];

/** Never deployed to production. */
export const clientSandboxRoutes: readonly Route[] = [
  {
    contract: simulateClientContract,
    permissions: ['put events of compliance on the bus'],
    impact: 'Developers of clients cannot simulate a change of their approval.',
    example: {
      request: { complianceStatus: 'approved' },
      answer: { id: CLIENT_ID, complianceStatus: 'approved' },
      remark:
        'With `approved` for both, the client may operate. An approval counts only if it is sent in a later second than the one in which the last other result was applied.',
    },
  },
];
