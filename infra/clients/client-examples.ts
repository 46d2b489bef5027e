import { CLIENT_ID } from '#infra/api/openapi/example-ids.ts';
import type { Examples } from '#infra/api/openapi/examples.ts';

const registerDate = '2024-05-17 14:03:22.123456';

export const accessExamples: Examples = {
  'issue-token': {
    request: { client_id: CLIENT_ID, client_secret: 'shown-once-when-it-was-made', grant_type: 'client_credentials' },
    answer: {
      access_token: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIzZmE4In0.c2lnbmF0dXJl',
      token_type: 'Bearer',
      expires_in: 300,
    },
    remark:
      'OAuth 2.0 client credentials, as JSON or as a form. The id and the secret may come as HTTP Basic instead of in the body.',
  },
  'get-client-info': {
    remark: 'A client that is not approved yet can read this, too, and see what it waits for.',
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
};
