import type { Payin } from '#shared/pay-ins/pay-in.ts';
import type { Payment, PaymentRail, ReadRailNotification } from '#shared/pay-ins/rails/payment-rail.ts';
import type { RailName } from '#shared/pay-ins/rails/payment-rails.ts';
import type { FakeClock } from '#test/support/fake-clock.ts';

/** What the suite tries with each rail, unless its fixture says why that cannot be. */
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
  /** What there cannot be at this rail, each with its reason. */
  readonly cannot: Readonly<Partial<Record<Trial, string>>>;
  /** A rail for one test, without any payment. */
  readonly start: (clock: FakeClock) => Promise<RailWorld>;
}

export type Notification = Parameters<ReadRailNotification>[0];

interface RailWorld {
  /** As functions make it when they start. */
  readonly rail: () => PaymentRail;
  /** The same, of a server at this URL. */
  readonly at: (url: string) => PaymentRail;
  /** The same, of a server whose answers to look-ups are changed: each as JSON, before it is written. */
  readonly changed: (change: (honest: unknown) => unknown) => Promise<PaymentRail>;
  /** What no error may quote. */
  readonly secrets: readonly string[];
  /** What the suite's pay-ins have at this rail. */
  readonly of: Partial<Payin>;
  /** Makes the rail take the next order without an answer; what the pay-in has then. */
  readonly unanswered: () => Partial<Payin>;
  /** What a pay-in or its payer has that the rail never takes. */
  readonly refused: { readonly payin?: Partial<Payin>; readonly payer?: Readonly<Record<string, string>> };
  /** How many payments the rail has. */
  readonly count: () => number;
  /** What becomes of a payment. */
  readonly become: (reference: string, said: Pick<Payment, 'status' | 'amount'>) => Promise<void>;
  /** The payment's money is taken back. */
  readonly takeBack: (reference: string) => Promise<void>;
  /** One about this payment, and one about nothing of ours. */
  readonly notifications: (
    reference: string,
  ) => Promise<{ readonly ours: Notification; readonly others: Notification }>;
  /** What somebody else makes of a notification. */
  readonly forged: (genuine: Notification) => readonly Notification[];
}
