export const CLIENT = '11111111-1111-4111-8111-111111111111';
export const USER = '22222222-2222-4222-8222-222222222222';
export const OPERATION = '33333333-3333-4333-8333-333333333333';
export const WALLET = '44444444-4444-4444-8444-444444444444';

/** Another user, of the client or of nobody. */
export const OTHER_USER = '66666666-6666-4666-8666-666666666666';

/** The id of another client, or of nothing at all. */
export const STRANGER = '99999999-9999-4999-8999-999999999999';
