import type { Custodian } from '#shared/off-ramps/custodians/custodian.ts';
import type { CustodianName } from '#shared/off-ramps/custodians/custodians.ts';
import type { PaymentRail } from '#shared/pay-ins/rails/payment-rail.ts';
import type { RailName } from '#shared/pay-ins/rails/payment-rails.ts';
import type { TableUse } from './table-shapes.ts';

/** Every key of the service, by its purpose. Simulated partners sign their notifications with theirs. */
export type KeyName = 'accessTokens' | 'webhookSecrets' | 'simulatedCustodian' | 'simulatedRail';

/** What a function needs to ask one member of an adapter; it gets nothing else of the provider. */
export interface MemberNeeds {
  readonly environment?: Readonly<Record<string, string>>;
  /**
   * Secrets, by the variables that get their names in Secrets Manager; the stage's settings have the names as
   * `secrets`.
   */
  readonly secrets?: readonly string[];
  readonly tables?: TableUse;
  /** The service's keys that verify the provider's signatures, by the variables that get their ids. */
  readonly verifiesWith?: Readonly<Record<string, KeyName>>;
}

/** A custodian as a stage chooses it for its networks. */
export interface CustodianDeployment {
  /** Registry key, from which functions make the custodian. */
  readonly name: CustodianName;
  /** A simulated provider: production refuses orders on it. */
  readonly isSimulated: boolean;
  /**
   * True if each operation that awaits a deposit has its own address, or tag, which is its user's for ever
   * (decisions.md 4, Deposit address): a deposit belongs to the operation of its address, and no search is needed.
   */
  readonly hasAddressPerOperation: boolean;
  /** The header of notifications that has the signature, or says that there is one. Absent where nobody notifies. */
  readonly signatureHeader?: string;
  readonly members: { readonly [Member in keyof Custodian]: MemberNeeds };
}

/** A payment rail as a stage chooses it for its payment methods. */
export interface RailDeployment {
  /** Registry key, from which functions make the rail. */
  readonly name: RailName;
  /** A simulated provider: production refuses orders on it. */
  readonly isSimulated: boolean;
  /** The header of notifications that has the signature, or says that there is one. */
  readonly signatureHeader: string;
  /** True if the rail publishes no addresses, so its notifications are accepted from everywhere. */
  readonly notifiesFromAnywhere?: boolean;
  readonly members: { readonly [Member in keyof PaymentRail]: MemberNeeds };
}
