/** The audit is permanent: nobody can remove anything from it. */
export const REASON_HINT = 'stored for ever: name a case or contract, never a person, phone or document';
