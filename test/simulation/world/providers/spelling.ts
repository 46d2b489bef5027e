import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian.ts';

/** Writes hexadecimal in capitals. Base58 is unchanged, because its case carries data. */
export function inCapitals(transfer: CustodianTransfer): CustodianTransfer {
  const { txHash, toAddress, fromAddress } = transfer;
  return {
    ...transfer,
    txHash: capitals(txHash),
    toAddress: capitals(toAddress),
    fromAddress: capitals(fromAddress),
  };
}

export function capitals(text: string): string {
  return HEXADECIMAL.test(text) ? text.replace(/[a-f]/g, (digit) => digit.toUpperCase()) : text;
}

const HEXADECIMAL = /^(0x)?[0-9a-f]{40,}$/;
