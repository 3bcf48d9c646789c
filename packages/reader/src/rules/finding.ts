/** A rule that a document violates, by our own checks or by published ones. */
export type Finding = {
  /** The rule's number in its specification (`BR-CO-10`), `Facturae …` with the element, or `schema`. */
  readonly rule: string;
  readonly isFatal: boolean;
  readonly text: string;
};

/** Collects findings without duplicates. */
export class Findings {
  readonly #found = new Map<string, Finding>();

  /** Records a violation of the rule, unless it holds. */
  require(holds: boolean, rule: string, text: string): void {
    if (!holds) this.#found.set(`${rule} ${text}`, { rule, isFatal: true, text });
  }

  get all(): Finding[] {
    return [...this.#found.values()];
  }
}
