import type { Custodian } from '#shared/off-ramps/custodians/custodian.ts';
import type { CustodianName } from '#shared/off-ramps/custodians/custodians.ts';
import type { PaymentRail } from '#shared/pay-ins/rails/payment-rail.ts';
import type { RailName } from '#shared/pay-ins/rails/payment-rails.ts';
import type { TableUse } from './table-shapes.ts';

/** Every key of the service, by what it is for. Simulated partners sign their notifications with theirs. */
export type KeyName = 'accessTokens' | 'webhookSecrets' | 'simulatedCustodian' | 'simulatedRail';

/** What a function needs to ask one member of an adapter; it is given this and nothing else of the provider. */
export interface Needs {
  readonly environment?: Readonly<Record<string, string>>;
  /**
   * Secrets, by the variables that get their names in Secrets Manager: `secrets` of the stage's settings has the names.
   */
  readonly secrets?: readonly string[];
  readonly tables?: TableUse;
  /** Keys of ours that its signatures are verified with, by the variables that get their ids. */
  readonly verifiesWith?: Readonly<Record<string, KeyName>>;
}

/** A custodian as a stage chooses it for its networks. */
export interface CustodianDeployment {
  /** Key of its entry, from which functions make it. */
  readonly name: CustodianName;
  /** A simulated provider: production refuses orders on it. */
  readonly isSimulated: boolean;
  /**
   * Each operation that awaits a deposit has an address, or a tag, of its own, and of its user for ever (decisions.md 4,
   * Deposit address): a deposit is its address's operation's, and nothing is searched for it.
   */
  readonly hasAddressPerOperation: boolean;
  /** Of its notifications: has the signature, or says that there is one. Absent where nobody notifies. */
  readonly signatureHeader?: string;
  readonly members: { readonly [Member in keyof Custodian]: Needs };
}

/** A payment rail as a stage chooses it for its payment methods. */
export interface RailDeployment {
  /** Key of its entry, from which functions make it. */
  readonly name: RailName;
  /** A simulated provider: production refuses orders on it. */
  readonly isSimulated: boolean;
  /** Of its notifications: has the signature, or says that there is one. */
  readonly signatureHeader: string;
  /** It publishes no addresses: its notifications are let in from everywhere. */
  readonly notifiesFromAnywhere?: boolean;
  readonly members: { readonly [Member in keyof PaymentRail]: Needs };
}
