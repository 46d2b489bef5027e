/** The audit is kept, and nobody can take anything out of it. */
export const NOTHING_PERSONAL = 'kept for ever: name no person, phone or document; a case or contract will do';
