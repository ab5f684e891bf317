import type { AccessDecision, AccessRequest } from "../api/access.ts";
import type { Authorizer } from "../authorization/authorizer.ts";
import { type Steps, waitFor } from "../base/steps.ts";
import { Undecided } from "../cel/failures.ts";

type Known = { readonly decision: AccessDecision } | { readonly error: unknown };

/**
 * Decisions of the authorizer for the expressions of one request. Expressions do not wait: one that
 * needs a decision that is not known yet is evaluated again when it is.
 */
export class AccessDecisions {
  readonly #authorizer: Authorizer;
  readonly #known = new Map<string, Known>();
  #pending: Promise<void>[] = [];

  constructor(authorizer: Authorizer) {
    this.#authorizer = authorizer;
  }

  /** Decides on a request. @throws the error of the authorizer; {@link Undecided} until it decides */
  readonly decide = (request: AccessRequest): AccessDecision => {
    const key = JSON.stringify(request);
    const known = this.#known.get(key) ?? this.#ask(key, request);
    if (known === undefined) throw new Undecided();
    if ("error" in known) throw known.error;
    return known.decision;
  };

  /** Evaluates until all decisions are known that the evaluation asks for. */
  *settled<T>(evaluate: () => T): Steps<T> {
    for (;;) {
      const value = evaluate();
      if (this.#pending.length === 0) return value;
      const pending = this.#pending;
      this.#pending = [];
      yield* waitFor(Promise.all(pending));
    }
  }

  #ask(key: string, request: AccessRequest): Known | undefined {
    const decision = this.#authorizer.authorize(request);
    if (!(decision instanceof Promise)) {
      const known = { decision };
      this.#known.set(key, known);
      return known;
    }
    this.#pending.push(
      decision.then(
        (decided) => void this.#known.set(key, { decision: decided }),
        (error: unknown) => void this.#known.set(key, { error }),
      ),
    );
    return undefined;
  }
}
