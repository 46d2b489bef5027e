/** Probabilities of one answer. */
export interface RailFaults {
  /** It neither acts nor answers. */
  readonly unavailable: number;
  /** It acts, and its answer is lost. */
  readonly lostAnswer: number;
  /** The answer takes seconds. */
  readonly slow: number;
  /** It takes a payment, and finds it only later. */
  readonly lateToFind: number;
  /** It does not find a payment this time. */
  readonly notFound: number;
  /** The answer is some time old. */
  readonly stale: number;
  /** Per payment: it never answers a question about it. */
  readonly silence: number;
  /** Per payment: somebody pays the same amount again under an unknown reference. */
  readonly stray: number;
  /** Per payment: its list lacks it. */
  readonly unlisted: number;
  /** Per payment that it has reported as paid: it no longer knows it. */
  readonly lost: number;
}

export interface RailManners {
  /** It is Wompi, where a payer can pay again under the reference. */
  readonly isWompi: number;
  /** Per payment. */
  readonly twice: number;
}
