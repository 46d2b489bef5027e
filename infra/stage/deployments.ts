import type { CustodianName } from '#shared/off-ramps/custodians/custodians.ts';
import type { PaymentRailName } from '#shared/pay-ins/rails/payment-rails.ts';
import type { TableUse } from './table-shapes.ts';

/** Every key of the service, by what it is for. Simulated partners sign their notifications with theirs. */
export type KeyName = 'accessTokens' | 'webhookSecrets' | 'simulatedCustodian' | 'simulatedRail';

/** An adapter as a stage names it, with the resources that it needs: the adapter's folder declares them. */
interface Deployment<Name extends string, Asked extends string> {
  /** Key of its entry, from which functions make it. */
  readonly name: Name;
  /** A simulated provider: production refuses orders on it. */
  readonly isSimulated: boolean;
  /** Its tables, by use. */
  readonly tables: Readonly<Record<Asked, TableUse>>;
  /** Of its notifications: has the signature, or says that there is one. */
  readonly signatureHeader: string;
  /** The key that its notifications are signed with, where it is one of ours. */
  readonly notificationKey?: KeyName;
}

export interface CustodianDeployment extends Deployment<CustodianName, 'findTransfers'> {
  /**
   * Each operation that awaits a deposit has an address, or a tag, of its own, and of its user for ever (decisions.md 4,
   * Deposit address): a deposit is its address's operation's, and nothing is searched for it.
   */
  readonly hasAddressPerOperation: boolean;
}
export type RailDeployment = Deployment<PaymentRailName, 'find' | 'order'>;
