import { type Custodian, CustodianUnavailable, SendingRefused } from '#shared/off-ramps/custodians/custodian.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { type AskFireblocks, FireblocksRefused, fireblocksAs, undefinedIfNotFound } from './fireblocks-client.ts';
import { createFindNetworks } from './fireblocks-networks.ts';
import { sendingStateOf } from './fireblocks-outgoing.ts';
import type { FireblocksSetting } from './fireblocks-settings.ts';
import { VAULT_ACCOUNT } from './fireblocks-transfers.ts';

type FireblocksSender = Required<Pick<Custodian, 'send' | 'findSending'>>;

/** Sends as the API user that may create transactions: a Signer, whose co-signer and the Policy decide in the end. */
export function createFireblocksSender(clock: Clock): FireblocksSender {
  return fireblocksSender(fireblocksAs('sender', clock));
}

interface Dependencies {
  readonly fireblocks: Pick<FireblocksSetting, 'networks'>;
  readonly ask: AskFireblocks;
}

export function fireblocksSender({ fireblocks, ask }: Dependencies): FireblocksSender {
  const findNetworks = createFindNetworks(fireblocks, ask);

  const find = async (externalId: string) => {
    const path = `/v1/transactions/external_tx_id/${encodeURIComponent(externalId)}`;
    const found = await undefinedIfNotFound(ask({ method: 'GET', path }));
    if (found !== undefined && Object(found.body).externalTxId !== externalId)
      throw new CustodianUnavailable('Fireblocks answers about another transaction.');
    return found?.body;
  };

  /**
   * True if another transaction of the vault is final with the same nonce, so that this one cannot be in a block any
   * more. A transaction that pays the same does not count: it is this one after a person has boosted it, which makes a
   * separate transaction (Fireblocks, Boost transactions). A transaction that was never CONFIRMING has no address to
   * compare (Fireblocks, API reference, TransactionResponse).
   */
  const isReplaced = async ({ id, nonce, assetId, source, destinationAddress, createdAt }: Record<string, unknown>) => {
    if (nonce === undefined || nonce === null || !destinationAddress) return false;
    const only = { sourceType: VAULT_ACCOUNT, sourceId: String(Object(source).id), status: 'COMPLETED' };
    const query = { ...only, after: String(Number(createdAt) - DAY), orderBy: 'createdAt', sort: 'ASC', limit: '500' };
    const { body } = await ask({ method: 'GET', path: `/v1/transactions?${new URLSearchParams(query)}` });
    const others: readonly Record<string, unknown>[] = Array.isArray(body) ? body.map(Object) : [];
    const networkOf = await findNetworks([assetId, ...others.map((one) => one['assetId'])]);
    const network = networkOf(assetId);
    const hasSameNonce = (one: Record<string, unknown>) =>
      network !== undefined && networkOf(one['assetId']) === network && String(one['nonce']) === String(nonce);
    const paysTheSame = (one: Record<string, unknown>) =>
      one['assetId'] === assetId &&
      String(one['destinationAddress']).toLowerCase() === String(destinationAddress).toLowerCase();
    return others.some((one) => one['id'] !== id && hasSameNonce(one) && !paysTheSame(one));
  };

  return {
    send: async ({ externalId: externalTxId, assetId, amount, from, to: { address, tag } }) => {
      const order = {
        operation: 'TRANSFER',
        ...{ assetId, amount, externalTxId },
        source: { type: VAULT_ACCOUNT, id: from },
        destination: { type: 'ONE_TIME_ADDRESS', oneTimeAddress: { address, ...(tag !== undefined && { tag }) } },
        note: 'Return of a deposit',
      };
      try {
        // The external id never expires; an idempotency key would expire after a day (Fireblocks, API idempotency).
        await ask({ method: 'POST', path: '/v1/transactions', body: JSON.stringify(order) });
      } catch (error) {
        if (!(error instanceof FireblocksRefused)) throw error;
        // Fireblocks also refuses a repeat of an order that it has.
        if ((await find(externalTxId)) !== undefined) return;
        if (error.code === IS_TAKEN)
          throw new CustodianUnavailable('Fireblocks has this external id, but does not find its order.');
        throw new SendingRefused(error.message);
      }
    },

    findSending: async ({ externalId }) => {
      const record = await find(externalId);
      if (record === undefined) return undefined;
      const { id: movementId, txHash: hash, signedBy } = Object(record);
      const state = sendingStateOf(record);
      const txHash: unknown = hash || undefined;
      const sent = { state, ...(txHash !== undefined && { txHash, movementId }) };
      // A signed transaction may have been broadcast, even without a hash, which is certain only once it is CONFIRMING.
      const wasSigned = txHash !== undefined || (Array.isArray(signedBy) && signedBy.length > 0);
      const mayStillArrive = state === 'FAILED' && wasSigned && !(await isReplaced(Object(record)));
      return Object({ ...sent, ...(mayStillArrive && { mayStillArrive }) });
    },
  };
}

/** The code of a 400 when Fireblocks has the external id already (Fireblocks, Automate the withdrawal flow). */
const IS_TAKEN = 1438;

/** Milliseconds by which a search begins earlier: the transaction with the same nonce may have been ordered before. */
const DAY = 24 * 3600_000;
