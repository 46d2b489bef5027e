import Big from 'big.js';
import * as z from 'zod/mini';
import { type Answer, BadRequest, ok, okText, problem } from './answer.ts';
import type { Catalogue } from './catalogue.ts';
import type { TransactionRecord } from './transaction-record.ts';
import type { createTransactions } from './transactions.ts';

/** A transfer from a vault to an address that is in no wallet: Fireblocks, API reference, TransactionRequest. */
const transfer = z.strictObject({
  operation: z.literal('TRANSFER'),
  assetId: z.string(),
  source: z.strictObject({ type: z.literal('VAULT_ACCOUNT'), id: z.string() }),
  destination: z.strictObject({
    type: z.literal('ONE_TIME_ADDRESS'),
    oneTimeAddress: z.strictObject({ address: z.string().check(z.minLength(1)), tag: z.optional(z.string()) }),
  }),
  amount: z.string().check(z.regex(/^\d+(\.\d+)?$/)),
  externalTxId: z.string().check(z.minLength(1), z.maxLength(255)),
  note: z.optional(z.string()),
});

interface OrderDeps {
  readonly catalogue: Catalogue;
  readonly hasVault: (id: string) => boolean;
  readonly transactions: ReturnType<typeof createTransactions>;
  readonly ordered: (record: TransactionRecord) => void;
}

/** Orders to send. A test decides by `change` how the Policy, the co-signer and the chain treat an order. */
export function createOrders({ catalogue, hasVault, transactions, ordered }: OrderDeps) {
  const byExternalId = new Map<string, string>();
  return {
    create(body: string): Answer {
      const { success, data } = z.safeParse(transfer, JSON.parse(body));
      if (!success) throw new BadRequest('The body does not fit the schema');
      const { assetId, source, destination, amount, externalTxId } = data;
      const asset = catalogue.asset(assetId);
      if (asset === undefined) return problem(400, 'Unsupported asset', 1503);
      if (!hasVault(source.id)) return problem(400, 'The Provided Vault Account ID is invalid', 11001);
      // Fireblocks, Automate the withdrawal flow: a repeat is 400 with this code.
      if (byExternalId.has(externalTxId)) return problem(400, 'The external tx id already exists', 1438);
      const { address: to, tag } = destination.oneTimeAddress;
      const movement = { assetId, amount, to, ...(tag !== undefined && { tag }) };
      const [record] = transactions.deposit({
        network: asset.network,
        status: 'SUBMITTED',
        movements: [{ ...movement, source, destination: { type: 'ONE_TIME_ADDRESS', id: null, name: '' } }],
        fields: { externalTxId },
      });
      if (record === undefined) throw new BadRequest('Nothing was made');
      byExternalId.set(externalTxId, record.id);
      ordered(record);
      return ok({ id: record.id, status: 'SUBMITTED', systemMessages: [] });
    },

    /** Deposits have no external id: Fireblocks, API reference, TransactionResponse. */
    find(externalTxId: string): Answer {
      const id = byExternalId.get(externalTxId);
      const record = id === undefined ? undefined : transactions.get(id);
      return record === undefined ? problem(404, 'Transaction not found', 1404) : okText(record.text);
    },

    idOf: (externalTxId: string) => byExternalId.get(externalTxId),

    /**
     * Balances of all vaults together, as on the chain: incoming funds that are not final are `pending`, rejected ones
     * are `frozen`, and `total` has both (Fireblocks, API reference, VaultAsset).
     */
    balances(): Answer {
      const sums = new Map<string, { total: Big; pending: Big; frozen: Big }>();
      const add = (assetId: string, amount: string, place?: 'pending' | 'frozen') => {
        const sum = sums.get(assetId) ?? { total: new Big(0), pending: new Big(0), frozen: new Big(0) };
        sums.set(assetId, sum);
        for (const name of ['total', ...(place ? [place] : [])] as const) sum[name] = sum[name].plus(amount);
      };
      for (const { status, source, destination, text } of transactions.byCreation) {
        const { assetId, amountInfo, feeInfo, feeCurrency } = JSON.parse(text);
        const hasArrived = destination.type === 'VAULT_ACCOUNT' && !['FAILED', 'CANCELLED'].includes(status);
        if (hasArrived) add(assetId, amountInfo.amount, placeOf(status));
        if (source.type !== 'VAULT_ACCOUNT' || status !== 'COMPLETED') continue;
        add(assetId, `-${amountInfo.amount}`);
        add(feeCurrency, `-${feeInfo.networkFee}`);
      }
      return ok(
        [...sums].map(([id, { total, pending, frozen }]) => ({
          ...{ id, total: total.toFixed(), available: total.minus(pending).minus(frozen).toFixed(), lockedAmount: '0' },
          ...{ pending: pending.toFixed(), frozen: frozen.toFixed() },
        })),
      );
    },
  };
}

function placeOf(status: string): 'pending' | 'frozen' | undefined {
  if (status === 'COMPLETED') return undefined;
  return status === 'REJECTED' || status === 'BLOCKED' ? 'frozen' : 'pending';
}
