import type { Payin } from '#shared/pay-ins/pay-in.ts';
import type { Payment, PaymentRail, ReadRailNotification } from '#shared/pay-ins/rails/payment-rail.ts';
import type { RailName } from '#shared/pay-ins/rails/payment-rails.ts';
import type { FakeClock } from '#test/support/fake-clock.ts';

/** What the suite tries with each rail, unless its fixture says why it is impossible. */
type Trial =
  | 'a pause'
  | 'an empty answer'
  | 'an answer without an end'
  | 'no second refusal'
  | 'banks'
  | 'a preparation';

/** An adapter, as the suite of all rails needs it (docs/adding-a-rail.md). */
export interface RailFixture {
  readonly name: RailName;
  /** Trials that are impossible with this rail, each with its reason. */
  readonly cannot: Readonly<Partial<Record<Trial, string>>>;
  /** A rail for one test, without any payment. */
  readonly start: (clock: FakeClock) => Promise<RailWorld>;
}

export type Notification = Parameters<ReadRailNotification>[0];

interface RailWorld {
  /** The rail as functions create it when they start. */
  readonly rail: () => PaymentRail;
  /** The same rail, for a server at this URL. */
  readonly at: (url: string) => PaymentRail;
  /** The same rail, for a server whose answers to look-ups are changed: each as JSON, before it is written. */
  readonly changed: (change: (honest: unknown) => unknown) => Promise<PaymentRail>;
  /** Texts that no error may quote. */
  readonly secrets: readonly string[];
  /** Fields of the suite's pay-ins at this rail. */
  readonly of: Partial<Payin>;
  /** Makes the rail accept the next order without an answer; returns the fields of the pay-in to order. */
  readonly unanswered: () => Partial<Payin>;
  /** Fields of a pay-in or its payer that the rail always refuses. */
  readonly refused: { readonly payin?: Partial<Payin>; readonly payer?: Readonly<Record<string, string>> };
  /** The number of payments that the rail has. */
  readonly count: () => number;
  /** Gives a payment this status and amount. */
  readonly become: (reference: string, change: Pick<Payment, 'status' | 'amount'>) => Promise<void>;
  /** Takes the money of a payment back. */
  readonly takeBack: (reference: string) => Promise<void>;
  /** A notification about this payment, and one about no payment. */
  readonly notifications: (
    reference: string,
  ) => Promise<{ readonly ours: Notification; readonly others: Notification }>;
  /** Forgeries of a notification. */
  readonly forged: (genuine: Notification) => readonly Notification[];
}
