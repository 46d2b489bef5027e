/** The profile of a client as an operator writes it (interface 2.1 to 2.3); invented. */
export const newClientExample = {
  clientType: 'b2b',
  tradeName: 'Example Pagos',
  constitutionCity: 'Bogotá',
  constitutionState: 'Cundinamarca',
  constitutionCountryId: 170,
  constitutionDate: 'Fri, 17 May 2024 00:00:00 GMT',
  person: {
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
    contactsData: [
      {
        dataTypeContact: 'email',
        dataValue: 'operations@client.example',
        isVerified: true,
        city: null,
        postalCode: null,
      },
    ],
  },
};
