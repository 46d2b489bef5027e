/** The audit is kept, and nobody can take anything out of it. */
export const NOTHING_PERSONAL = 'stored for ever: name a case or contract, never a person, phone or document';
