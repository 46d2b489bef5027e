import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { type Custodian, CustodianUnavailable } from '#shared/off-ramps/custodians/custodian.ts';
import { awsClientOptions } from '#shared/platform/aws/aws-clients.ts';
import { createSecret, type Secret } from '#shared/platform/aws/secrets.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { setting } from '#shared/platform/environment.ts';
import { accountFault, createDeriveAddress, type DerivedAddress } from './derive-addresses.ts';
import { type EvmAccount, evmAccount } from './evm-chain.ts';

/** An address for the operation with this id. @throws {CustodianUnavailable} of a key that is not the account's */
type Derive = (operationId: string) => DerivedAddress;

/** Gives addresses; the function that makes it has no node, and each other one no key of the account. */
export function createEvmAddresses(clock: Clock): Pick<Custodian, 'assignDepositAddress'> {
  const account = evmAccount.parse(JSON.parse(setting('EVM_ACCOUNT')));
  const secretsManager = new SecretsManagerClient(awsClientOptions);
  const key = createSecret({ secretsManager, clock }, setting('EVM_ACCOUNT_KEY'), deriveWith(account));
  key.warmUp();
  return evmAddresses(key);
}

/** Derives with the key of a secret, if it is that of the account. */
export function deriveWith(account: EvmAccount) {
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
