import type { EvmAccount, EvmChains } from './evm-chain.ts';

/** What the stack grants to functions, by the members of the chain's adapter that they call. */
export function evmCustodian({ account, chains }: { readonly account: EvmAccount; readonly chains: EvmChains }) {
  const nodes = {
    environment: { EVM_CHAINS: JSON.stringify(chains) },
    secrets: ['EVM_NODES'],
    tables: { hashes: ['BatchGetItem'], providerLimits: ['UpdateItem'] },
  } as const;
  return {
    name: 'evm',
    isSimulated: false,
    hasAddressPerOperation: true,
    members: {
      findTransfers: nodes,
      findTransfer: nodes,
      scanTransfers: nodes,
      findOutgoing: nodes,
      assignDepositAddress: { environment: { EVM_ACCOUNT: JSON.stringify(account) }, secrets: ['EVM_ACCOUNT_KEY'] },
    },
  } as const;
}
