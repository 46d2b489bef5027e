import { randomBytes } from 'node:crypto';
import type { LocalOutputs } from '#infra/cli/local-outputs.ts';
import { connect } from '#sdk/connect.ts';

/** What exists and belongs to the client that the fuzzer calls as. */
export interface Subjects {
  readonly credentials: { readonly clientId: string; readonly clientSecret: string };
  /** Values that lead somewhere, by where they are sent: `path.user_id`. */
  readonly known: Readonly<Record<string, readonly (string | number)[]>>;
}

/** Makes one of everything, so that the fuzzer gets past the checks of the path. */
export async function putSubjects({ baseUrl, clients, tokens }: LocalOutputs): Promise<Subjects> {
  const client = clients[0];
  const user = client?.users[0];
  const wallet = user?.externalWallets[0];
  const token = tokens[0];
  if (client === undefined || user === undefined || wallet === undefined || token === undefined) {
    throw new Error('The demo data are incomplete.');
  }
  const call = connect({ baseUrl, credentials: client });
  const path = { user_id: user.userId };
  const txHash = `0x${randomBytes(32).toString('hex')}`;

  const order = { originExternalWalletId: wallet.id, supportedTokenId: token.id, amount: '250.5' };
  const withdraw = async () =>
    (await call('POST /api/v1/admin/operation/{user_id}/withdrawal', { path, body: order })).body.operation;
  const [awaiting, declared] = [await withdraw(), await withdraw()];
  await call('POST /api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/hash', {
    path: { ...path, operation_id: declared.id },
    body: { txHash },
  });
  const { body: payin } = await call('POST /api/v1/admin/fiats/{user_id}/payin', {
    path,
    body: { amount: 15_000, currency: 'COP', paymentMethod: 'NEQUI', externalReference: 'known' },
  });
  const { body: webhook } = await call('POST /api/webhooks/{clientId}', {
    path: { clientId: client.clientId },
    body: { url: 'http://127.0.0.1:9/hooks', process: 'ramp' },
  });

  return {
    credentials: client,
    known: {
      'path.user_id': [user.userId],
      'path.operation_id': [awaiting.id, declared.id],
      'path.payin_id': [payin.id],
      'path.clientId': [client.clientId],
      'path.webhook_id': [webhook.id],
      'query.externalReference': ['known'],
      'body.client_id': [client.clientId],
      'body.client_secret': [client.clientSecret],
      'body.originExternalWalletId': user.externalWallets.map(({ id }) => id),
      'body.supportedTokenId': tokens.map(({ id }) => id),
      'body.amount': [15_000, 250.5],
      'body.bank': ['1007'],
      'body.phone': ['3107654321'],
      'body.txHash': [txHash, `0x${'ab'.repeat(32)}`],
      'body.url': ['http://127.0.0.1:9/hooks'],
      'body.userId': [user.userId],
    },
  };
}
