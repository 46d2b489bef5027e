import * as z from 'zod/mini';
import { fireblocksSetting, fireblocksSettings } from '#shared/off-ramps/custodians/fireblocks/fireblocks-settings.ts';
import { wompiSetting } from '#shared/pay-ins/rails/wompi/wompi-settings.ts';
import { evmSettings, providerSettings } from './provider-settings.ts';

/** The names of providers' secrets in the Secrets Manager of this machine. */
export const localSecrets = {
  EVM_NODES: 'evm-nodes',
  EVM_ACCOUNT_KEY: 'evm-account-key',
  FIREBLOCKS_READER: 'fireblocks-reader',
  FIREBLOCKS_ADDRESSES: 'fireblocks-addresses',
  FIREBLOCKS_TAGS: 'fireblocks-tags',
  FIREBLOCKS_SENDER: 'fireblocks-sender',
  WOMPI_KEYS: 'wompi-keys',
  WOMPI_EVENTS: 'wompi-events',
} as const;

/** The providers of a run on this machine, which may be any servers. */
export const localProviders = z.object({
  evm: z.optional(evmSettings),
  fireblocks: z.optional(z.extend(fireblocksSettings, { server: fireblocksSetting.shape.server })),
  returns: providerSettings.returns,
  wompi: z.optional(wompiSetting),
});

export type LocalProviders = z.infer<typeof localProviders>;
