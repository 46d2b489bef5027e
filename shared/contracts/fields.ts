import * as z from 'zod/mini';
import { networks } from '#shared/domain/network.ts';
import { documentValues } from './document.ts';

/** An id as it is stored: lower case. Any UUID text is accepted, whatever its version. */
export const id = z.guid().check(z.toLowerCase());

/** RFC 3339 in UTC with milliseconds, so that the order of texts is the order of times. */
export const instant = z.iso.datetime({ precision: 3 });

/** RFC 3339 with offset, as a client writes it: to the nanosecond at most. */
export const instantIn = z.iso.datetime({ offset: true }).check(z.maxLength(35));

export const network = z.enum(networks);

documentValues('Network', network, 'A blockchain on which deposits can arrive.', {
  ETHEREUM: 'Ethereum (EVM).',
  POLYGON: 'Polygon PoS (EVM).',
  BASE: 'Base (EVM).',
  ARBITRUM: 'Arbitrum One (EVM).',
  OPTIMISM: 'OP Mainnet (EVM).',
  BSC: 'BNB Smart Chain (EVM).',
  AVALANCHE: 'Avalanche C-Chain (EVM).',
  TRON: 'TRON.',
  STELLAR: 'Stellar. A deposit may need the memo in addressTag.',
  SOLANA: 'Solana.',
  SUI: 'Sui.',
});

/** A client's own name for what it creates. */
export const externalReference = z.string().check(z.minLength(1), z.maxLength(255));

/** Of an answer that says everything by its status. */
export const noContent = z.undefined();

export const noBody = z.unknown();
export const noPathParameters = z.unknown();
export const noQuery = z.unknown();
