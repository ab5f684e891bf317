import type { FieldError } from "../api/field-error.ts";

/** A problem a schema has with a value. */
export interface SchemaProblem {
  /** The text of the validation library, by which equal problems are recognised. */
  readonly text: string;
  readonly error: FieldError;
}

/**
 * Collects problems as the server's validation library does: each text only once, and with a count
 * of passed checks, by which the best of several alternatives is chosen.
 */
export class ValidationResult {
  readonly #problems = new Map<string, FieldError>();
  #passedChecks = 0;

  get isValid(): boolean {
    return this.#problems.size === 0;
  }

  get passedChecks(): number {
    return this.#passedChecks;
  }

  get errors(): readonly FieldError[] {
    return [...this.#problems.values()];
  }

  add(problem: SchemaProblem | undefined): void {
    if (problem === undefined || this.#problems.has(problem.text)) return;
    this.#problems.set(problem.text, problem.error);
  }

  merge(other: ValidationResult): void {
    for (const [text, error] of other.#problems) this.add({ text, error });
    this.#passedChecks += other.#passedChecks;
  }

  pass(): void {
    this.#passedChecks++;
  }

  /** The same without its problems: what ratcheting makes of an unchanged value. */
  forgiven(): ValidationResult {
    const result = new ValidationResult();
    result.#passedChecks = this.#passedChecks;
    return result;
  }
}
