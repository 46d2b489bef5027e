/*
 * Other services that put on the bus what moves what is ours (decisions.md 4, Operation statuses). What they say of an
 * off-ramp and of a client is a file each.
 */

export const COMPLIANCE = 'payments.compliance';
export const PAYOUTS = 'payments.payouts';
