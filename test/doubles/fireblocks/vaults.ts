import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { withChecksum } from '#shared/networks/address-checksum.ts';
import { formatAddress, type Network, networkSpecs } from '#shared/networks/network.ts';
import { type Answer, BadRequest, cursorOf, limitOf, ok, parametersOf, placeOf, problem, wordOf } from './answer.ts';
import { type Catalogue, type CatalogueAsset, familyOf } from './catalogue.ts';

/** An address, or address and tag, of a wallet: Fireblocks, API reference, VaultWalletAddress. */
export interface WalletAddress {
  readonly assetId: string;
  readonly address: string;
  readonly tag: string;
  readonly description: string;
  readonly customerRefId?: string;
  readonly type: 'Permanent' | 'Deposit';
  readonly bip44AddressIndex: number;
}

export interface Wallet {
  readonly assetId: string;
  /** True until the wallet's transaction on the chain is done; only for tokens of Solana or Stellar. */
  isPending: boolean;
  activationTxId?: string;
  readonly addresses: WalletAddress[];
}

export interface Vault {
  readonly id: string;
  readonly name: string;
  readonly hiddenOnUI: boolean;
  readonly autoFuel: boolean;
  readonly customerRefId?: string;
  /** Keyed by asset id. */
  readonly wallets: Map<string, Wallet>;
}

/** ASCII only: Fireblocks, API reference, Create a new vault account. */
const ASCII = /^[ -~]*$/;

const newVault = z.object({
  name: z.optional(z.string().check(z.regex(ASCII))),
  hiddenOnUI: z.optional(z.boolean()),
  customerRefId: z.optional(z.string()),
  autoFuel: z.optional(z.boolean()),
});
const newAddress = z.object({ description: z.optional(z.string()), customerRefId: z.optional(z.string()) });

/** @throws {BadRequest} */
function read<Schema extends z.core.$ZodType>(schema: Schema, body: string): z.output<Schema> {
  try {
    return z.parse(schema, JSON.parse(body === '' ? '{}' : body));
  } catch {
    throw new BadRequest('The body does not fit the schema');
  }
}

/** Status, code and text as quoted by clients of the vendor: 404 with 11001. */
const noVault = (id: string) => problem(404, `The Provided Vault Account ID is invalid: ${id}`, 11001);
const noAsset = problem(400, 'Unsupported asset', 1503);
const noWallet = problem(404, 'The vault account has no wallet of this asset', 1504);

export interface VaultOptions {
  /** Whether a request to activate a wallet activates it at once; otherwise only `activate` does. */
  readonly activatesByItself?: boolean;
  /** Whether creating a wallet twice is refused with 400, or answered as the first time: neither is documented. */
  readonly refusesSecondWallet?: boolean;
}

export function createVaults(seed: string, catalogue: Catalogue, options: VaultOptions) {
  // Every workspace has this vault from the start.
  const first: Vault = { id: '0', name: 'Default', hiddenOnUI: false, autoFuel: false, wallets: new Map() };
  const vaults: Vault[] = [first];
  const owners = new Map<string, Vault>();
  const addresses = new Map<string, string>();
  let tags = 0;

  /** One address for each vault and family: Fireblocks, documentation, Create direct custody wallets. */
  function addressOf(vault: Vault, network: Network): string {
    const name = `${vault.id} ${familyOf(network)}`;
    const made = addresses.get(name);
    if (made !== undefined) return made;
    const key = createHash('sha256').update(`${seed} address ${name}`).digest();
    const address = withChecksum(network, formatAddress(network, key));
    addresses.set(name, address);
    owners.set(address.toLowerCase(), vault);
    return address;
  }

  /** Makes tags that are unique in the workspace but do not look like a counter. */
  function makeTag(network: Network): string {
    if (!networkSpecs[network].family.hasTags) return '';
    tags += 1;
    return String(1_000_000_000 + ((tags * 1_618_033_989) % 3_000_000_019));
  }

  function addWallet(vault: Vault, { network, legacyId, contract }: CatalogueAsset): Wallet {
    const kept = vault.wallets.get(legacyId);
    if (kept !== undefined) return kept;
    const address = addressOf(vault, network);
    const made = { assetId: legacyId, address, tag: makeTag(network), description: '', bip44AddressIndex: 0 };
    const isPending = contract !== undefined && (network === 'SOLANA' || network === 'STELLAR');
    const wallet: Wallet = { assetId: legacyId, isPending, addresses: [{ ...made, type: 'Permanent' }] };
    vault.wallets.set(legacyId, wallet);
    return wallet;
  }

  const vaultAnswer = ({ wallets, ...vault }: Vault) => ({
    ...vault,
    assets: [...wallets.keys()].map(balance),
    tags: [],
  });
  const walletAnswer = (vault: Vault, wallet: Wallet) => {
    const { address = '', tag = '' } = wallet.addresses[0] ?? {};
    const status = wallet.isPending ? { status: 'PENDING_ACTIVATION' } : {};
    const activation = wallet.activationTxId === undefined ? {} : { activationTxId: wallet.activationTxId };
    return ok({ id: vault.id, address, legacyAddress: '', enterpriseAddress: '', tag, ...status, ...activation });
  };
  /** Balances are always zero, because nobody reads them. */
  const balance = (id: string) => ({ id, total: '0', available: '0', pending: '0', frozen: '0', lockedAmount: '0' });

  /** Calls with the vault, or answers that there is none. */
  const inVault = (id: string, then: (vault: Vault) => Answer): Answer => {
    const vault = /^\d+$/.test(id) ? vaults[Number(id)] : undefined;
    return vault === undefined ? noVault(id) : then(vault);
  };
  const inWallet = (id: string, assetId: string, then: (vault: Vault, wallet: Wallet) => Answer): Answer =>
    inVault(id, (vault) => {
      const wallet = vault.wallets.get(assetId);
      return wallet === undefined ? noWallet : then(vault, wallet);
    });

  return {
    all: vaults as readonly Vault[],
    /** The vault that owns an address. */
    ownerOf: (address: string): Vault | undefined => owners.get(address.toLowerCase()),
    addWallet,
    /** Completes the wallet's transaction on the chain. */
    activate(vaultId: string, assetId: string): void {
      const wallet = vaults[Number(vaultId)]?.wallets.get(assetId);
      if (wallet === undefined) throw new Error(`Vault ${vaultId} has no wallet of ${assetId}.`);
      wallet.isPending = false;
    },
    createVault(body: string): Answer {
      const { name = '', hiddenOnUI = false, autoFuel = false, customerRefId } = read(newVault, body);
      const id = String(vaults.length);
      const reference = customerRefId === undefined ? {} : { customerRefId };
      const vault: Vault = { id, name, hiddenOnUI, autoFuel, ...reference, wallets: new Map() };
      vaults.push(vault);
      return ok(vaultAnswer(vault));
    },
    getVault: (id: string) => inVault(id, (vault) => ok(vaultAnswer(vault))),
    getWallet: (id: string, assetId: string) => inWallet(id, assetId, () => ok(balance(assetId))),
    createWallet: (id: string, assetId: string) =>
      inVault(id, (vault) => {
        const asset = catalogue.asset(assetId);
        if (options.refusesSecondWallet && vault.wallets.has(assetId)) return problem(400, 'Wallet exists', 1506);
        return asset === undefined ? noAsset : walletAnswer(vault, addWallet(vault, asset));
      }),
    startActivation: (id: string, assetId: string) =>
      inWallet(id, assetId, (vault, wallet) => {
        if (wallet.isPending) wallet.activationTxId ??= `activation-${vault.id}-${assetId}`;
        const started = walletAnswer(vault, wallet);
        if (options.activatesByItself === true) wallet.isPending = false;
        return started;
      }),
    createAddress: (id: string, assetId: string, body: string) =>
      inWallet(id, assetId, (vault, wallet) => {
        const { description = '', customerRefId } = read(newAddress, body);
        const network = catalogue.asset(assetId)?.network;
        // "Requests with account based assets will fail": Fireblocks, API reference; the code is made up.
        if (network === undefined || !networkSpecs[network].family.hasTags) {
          return problem(400, 'The asset does not support more addresses', 1505);
        }
        const [address, tag] = [addressOf(vault, network), makeTag(network)];
        const bip44AddressIndex = wallet.addresses.length;
        const reference = customerRefId === undefined ? {} : { customerRefId };
        const made = { assetId, address, tag, description, ...reference, type: 'Deposit', bip44AddressIndex } as const;
        wallet.addresses.push(made);
        return ok({ address, legacyAddress: '', enterpriseAddress: '', tag, bip44AddressIndex });
      }),
    listAddresses: (id: string, assetId: string, query: URLSearchParams) =>
      inWallet(id, assetId, (_vault, wallet) => {
        const asked = parametersOf(query, ['limit', 'before', 'after']);
        const indexOf = ({ bip44AddressIndex }: WalletAddress) => bip44AddressIndex;
        const [items, paging] = pageOf(wallet.addresses, asked, limitOf(asked['limit'], 50, 500), indexOf);
        return ok({ addresses: items, paging });
      }),
    listVaults(query: URLSearchParams): Answer {
      const known = ['namePrefix', 'nameSuffix', 'assetId', 'orderBy', 'before', 'after', 'limit'];
      const asked = parametersOf(query, known);
      const { namePrefix = '', nameSuffix = '', assetId } = asked;
      const found = vaults.filter(
        ({ name, wallets }) =>
          name.startsWith(namePrefix) && name.endsWith(nameSuffix) && (assetId === undefined || wallets.has(assetId)),
      );
      if (wordOf(asked['orderBy'], ['DESC', 'ASC']) === 'DESC') found.reverse();
      const [items, paging] = pageOf(found, asked, limitOf(asked['limit'], 200, 500), ({ id }) => Number(id));
      const urlOf = (name: 'before' | 'after') =>
        paging[name] === undefined ? undefined : `/v1/vault/accounts_paged?${name}=${paging[name]}`;
      const accounts = items.map(vaultAnswer);
      return ok({ accounts, paging, previousUrl: urlOf('before'), nextUrl: urlOf('after') });
    },
  };
}

/** A page of a list that only grows. Its cursors name an item, so that new items do not shift the pages. */
function pageOf<Item>(
  items: readonly Item[],
  { before, after }: Readonly<Record<string, string>>,
  limit: number,
  keyOf: (item: Item) => number,
): [readonly Item[], { readonly before?: string; readonly after?: string }] {
  const indexOf = (cursor: string) => items.findIndex((item) => keyOf(item) === placeOf(cursor, 1)[0]);
  const end = before === undefined ? undefined : indexOf(before);
  const start = end === undefined ? (after === undefined ? 0 : indexOf(after) + 1) : Math.max(0, end - limit);
  const page = items.slice(start, end ?? start + limit);
  const [first, last] = [page[0], page.at(-1)];
  const paging = {
    ...(start > 0 && first !== undefined ? { before: cursorOf([keyOf(first)]) } : {}),
    ...(start + page.length < items.length && last !== undefined ? { after: cursorOf([keyOf(last)]) } : {}),
  };
  return [page, paging];
}
