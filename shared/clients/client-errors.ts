import { declareErrors } from '#shared/platform/http/api-errors.ts';

/** Refusals because of the client itself, and of unknown users and wallets. */
export const clientErrors = declareErrors({
  CLIENT_NOT_APPROVED: [
    403,
    'The client is not approved to operate. It may operate once complianceStatus and status of GET /api/infoClient are both approved.',
  ],
  USER_NOT_FOUND: [404, 'The client has no user with this id. Check the id and the environment.'],
  USER_ERASED: [
    409,
    'The data of the user are erased, or are about to be, as the person has asked: it gets no new orders. Existing ones can be read.',
  ],
  EXTERNAL_WALLET_NOT_FOUND: [404, 'The user has no external wallet with this id. Check originExternalWalletId.'],
});
