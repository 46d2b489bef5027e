const registerDate = '2026-01-15 09:30:00.000000';

/** The registered profile of a demo client (interface 2.1 to 2.3); invented. */
export function demoProfile(name: string, clientId: string) {
  return {
    clientType: 'b2b',
    tradeName: `Demo client «${name}»`,
    constitutionCity: 'Bogotá',
    constitutionState: 'Cundinamarca',
    constitutionCountryId: 170,
    constitutionDate: 'Mon, 06 Jan 2020 00:00:00 GMT',
    person: {
      id: clientId,
      businessName: `Demo client «${name}» S.A.S.`,
      firstName: 'Demo',
      middleName: null,
      firstSurname: null,
      lastName: '',
      identificationType: 'NIT',
      identificationNro: demoNumber(clientId),
      verificateDigit: 7,
      isJuridic: true,
      nationality: null,
      pep: null,
      registerDate,
      contactsData: [
        { ...demoEmail(clientId), dataTypeContact: 'phone', dataValue: '+573001234567' },
        demoEmail(clientId),
      ],
    },
  };
}

/** A different number for each client, because no two clients are registered under one. */
function demoNumber(clientId: string): string {
  return `8${String(Number.parseInt(clientId.slice(0, 8), 16) % 1e8).padStart(8, '0')}`;
}

/** The e-mail address in the profile of a demo client. */
export function demoEmail(clientId: string) {
  return {
    personId: clientId,
    dataTypeContact: 'email',
    dataValue: 'operations@example.com',
    isVerified: true,
    city: null,
    postalCode: null,
    registerDate,
  };
}
