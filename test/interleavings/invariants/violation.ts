/** A rule that does not hold. */
export class Violation extends Error {
  override readonly name = 'Violation';
  readonly rule: string;

  constructor(rule: string, facts: Readonly<Record<string, unknown>>) {
    super(`${rule}: ${JSON.stringify(facts)}`);
    this.rule = rule;
  }
}

/** @throws {Violation} unless the rule holds. */
export function must(rule: string, holds: boolean, facts: Readonly<Record<string, unknown>>): void {
  if (!holds) throw new Violation(rule, facts);
}
