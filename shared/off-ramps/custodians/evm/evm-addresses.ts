import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { type Custodian, CustodianUnavailable } from '#shared/off-ramps/custodians/custodian.ts';
import { awsClientOptions } from '#shared/platform/aws/aws-clients.ts';
import { createSecret, type Secret } from '#shared/platform/aws/secrets.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { setting } from '#shared/platform/environment.ts';
import { accountFault, createDeriveAddress, type DerivedAddress } from './derive-addresses.ts';
import { type EvmAccount, evmAccount } from './evm-chain.ts';

/** Derives the address of an operation. @throws {CustodianUnavailable} when the key is not that of the account */
type Derive = (operationId: string) => DerivedAddress;

/** Assigns addresses. Only the function that calls this has the account's key, and that function has no node. */
export function createEvmAddresses(clock: Clock): Pick<Custodian, 'assignDepositAddress'> {
  const account = evmAccount.parse(JSON.parse(setting('EVM_ACCOUNT')));
  const secretsManager = new SecretsManagerClient(awsClientOptions);
  const key = createSecret({ secretsManager, clock }, setting('EVM_ACCOUNT_KEY'), createDeriveFromKey(account));
  key.warmUp();
  return evmAddresses(key);
}

/** Derives addresses with the key in a secret, if it is the key of the account. */
export function createDeriveFromKey(account: EvmAccount) {
  return (text: string): Derive => {
    const accountKey = text.trim();
    const fault = accountFault({ ...account, accountKey });
    if (fault === undefined) return createDeriveAddress(accountKey);
    return () => {
      throw new CustodianUnavailable(fault);
    };
  };
}

export function evmAddresses(key: Pick<Secret<Derive>, 'use'>): Pick<Custodian, 'assignDepositAddress'> {
  return {
    assignDepositAddress: ({ operationId }) =>
      key.use(async (derive) => {
        const { address, ...derivation } = derive(operationId);
        return { address, derivation };
      }),
  };
}
