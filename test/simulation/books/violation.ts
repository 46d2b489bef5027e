/** A broken rule. */
export class Violation extends Error {
  override readonly name = 'Violation';
  readonly rule: string;

  constructor(rule: string, facts: Facts) {
    super(`${rule}: ${JSON.stringify(facts)}`);
    this.rule = rule;
  }
}

type Facts = Readonly<Record<string, unknown>>;

/** @throws {Violation} unless the rule holds */
export function must(rule: string, holds: boolean, facts: Facts): void {
  if (!holds) throw new Violation(rule, facts);
}
