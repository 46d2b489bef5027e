import { createHash } from 'node:crypto';

/** The id by which clients know a deposit: a UUID (version 8, RFC 9562) that follows from the custodian's id of it. */
export function depositIdOf(custodianTransferId: string): string {
  const bytes = createHash('sha256').update(custodianTransferId).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
