import type { FieldError } from "../api/errors.ts";

/** A schema violation of a value. */
export interface SchemaProblem {
  /** Message of the validation library, which identifies equal problems. */
  readonly text: string;
  readonly error: FieldError;
}

/**
 * Collects problems like the server's validation library: each message once, with a count of passed
 * checks that selects the best of several alternatives.
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

  /** Returns the result without problems, for an unchanged value (ratcheting). */
  forgiven(): ValidationResult {
    const result = new ValidationResult();
    result.#passedChecks = this.#passedChecks;
    return result;
  }
}
