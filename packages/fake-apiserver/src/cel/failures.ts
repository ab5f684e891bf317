/** An error of an evaluation, with the words of cel-go. */
export class CelFailure extends Error {
  override readonly name = "CelFailure";
}

/** The error of an expression that is evaluated again when the authorizer has decided. */
export class Undecided extends CelFailure {
  constructor() {
    super("the authorizer has not decided yet");
  }
}

/** An expression that uses something that this evaluator does not have. */
export class UnsupportedExpression extends Error {
  override readonly name = "UnsupportedExpression";
}

/** The evaluation took more steps than a rule may take. */
export class BudgetExceeded extends Error {
  override readonly name = "BudgetExceeded";
}

/** The error of a function without an overload for the values that it was called with. */
export function noSuchOverload(): CelFailure {
  return new CelFailure("no such overload");
}
