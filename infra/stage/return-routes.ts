import * as z from 'zod/mini';
import { hasWrongChecksum } from '#shared/networks/address-checksum.ts';
import { type Network, networks, parseAddress } from '#shared/networks/network.ts';
import type { CustodianName } from '#shared/off-ramps/custodians/custodians.ts';
import type { ReturnRoutes } from '#shared/off-ramps/custodians/returns-setting.ts';
import { simulatedAccount } from '#shared/off-ramps/custodians/simulated/simulated-custodian-deployment.ts';
import type { CustodianDeployment } from './deployments.ts';

/** How deposits of a network are sent back. Without this, nothing is returnable there, unless it is simulated. */
export const returnSettings = z.strictObject({
  /** The vault (`fireblocks`) or address (`evm`) that returns leave, by hand too. Its owner keeps it funded. */
  from: z.string(),
  /** The owner's other vaults and addresses: what moves to them is a sweep. */
  treasury: z.optional(z.array(z.string())),
  /** A person sends the returns. */
  byHand: z.optional(z.literal(true)),
});

type ReturnSettings = z.infer<typeof returnSettings>;

const VAULT = /^\d{1,10}$/;

/** Says what is wrong with the settings of a network, in words that follow its name. */
export function returnFault(
  name: Network,
  { from, treasury = [], byHand }: ReturnSettings,
  custodian: CustodianName | undefined,
): string | undefined {
  const isAddress = (text: string) => parseAddress(name, text) !== undefined && !hasWrongChecksum(name, text);
  const isVault = (text: string) => custodian === 'fireblocks' && VAULT.test(text);
  if (custodian === undefined) return `: no custodian serves ${name} here.`;
  if (custodian === 'simulated') return ': the simulated custodian has an account of its own for it: leave it out.';
  if (custodian === 'evm' && byHand === undefined)
    return ': evm has no key that sends: add "byHand": true, and a person sends.';
  if (custodian === 'evm' ? !isAddress(from) : !isVault(from))
    return `.from must be ${custodian === 'evm' ? `an address of ${name}` : 'the number of a vault'}, as ${custodian} names accounts.`;
  const other = treasury.find((one) => !isVault(one) && !isAddress(one));
  return other === undefined ? undefined : `.treasury has ${other}, which is no account or address there.`;
}

type ReturnsOfNetworks = Readonly<Partial<Record<Network, ReturnSettings>>>;

/** True if the service sends on any network that the settings name, which only Fireblocks does. */
export function isAnySent(settings: ReturnsOfNetworks = {}): boolean {
  return Object.values(settings).some(({ byHand }) => byHand !== true);
}

/**
 * The routes of the settings; where the custodian is simulated, returns leave its own account. A network whose
 * custodian cannot send, and where nobody sends by hand, is left out.
 */
export function returnRoutesOf(
  custodians: Readonly<Partial<Record<Network, CustodianDeployment>>>,
  settings: ReturnsOfNetworks | undefined,
  hasSandbox: boolean,
): ReturnRoutes {
  return Object.fromEntries(
    networks.flatMap((network) => {
      const custodian = custodians[network];
      if (custodian?.isSimulated)
        return hasSandbox ? [[network, { from: simulatedAccount(network), treasury: [], isByHand: false }]] : [];
      const { from, treasury = [], byHand = false } = settings?.[network] ?? {};
      if (from === undefined || !(byHand || custodian?.members.send)) return [];
      // Addresses are compared in their normal form; accounts have only one spelling.
      const normal = (text: string) => parseAddress(network, text)?.address ?? text;
      return [[network, { from: normal(from), treasury: treasury.map(normal), isByHand: byHand }]];
    }),
  );
}
