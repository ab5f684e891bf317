import { ControlInputError } from "../../control/control-errors.ts";
import type { FaultAction, IllegalAction } from "../../control/fault-action.ts";
import type { JsonReader } from "../inputs/json-reader.ts";
import type { ControlledStream } from "../stream/controlled-stream.ts";
import { answerFaults } from "./answer-faults.ts";
import { bodyFaults } from "./body-faults.ts";
import type { Fault, FaultEffect, FaultTarget, LegalFaults } from "./fault.ts";
import { watchFaults } from "./illegal-faults.ts";

/** A list of faults, by the types of their actions. */
export class FaultCatalogue<Action extends { readonly type: string }, Target, Effect> {
  readonly #faults: ReadonlyMap<string, Fault<Action, Target, Effect>>;

  constructor(faults: Readonly<Record<string, Fault<Action, Target, Effect>>>) {
    this.#faults = new Map(Object.values(faults).map((fault) => [fault.type, fault]));
  }

  /**
   * Reads an action from JSON.
   *
   * @throws {@link ControlInputError} for an unknown type or a field of a wrong type
   */
  read(reader: JsonReader): Action {
    const type = reader.choice("type", [...this.#faults.keys()].toSorted());
    return this.#of({ type }).read(reader);
  }

  /** @throws {@link ControlInputError} for an action that is unknown or cannot be carried out */
  check(action: Action): void {
    this.#of(action).check(action);
  }

  /** True for an action that decides how the answer ends. */
  endsAnswer(action: Action): boolean {
    return this.#of(action).endsAnswer === true;
  }

  apply(action: Action, target: Target): Effect {
    return this.#of(action).apply(action, target);
  }

  #of(action: { readonly type: string }): Fault<Action, Target, Effect> {
    const fault = this.#faults.get(action.type);
    if (fault !== undefined) return fault;
    throw new ControlInputError(
      `Expected the type of a fault in action.type, got ${JSON.stringify(action)}`,
    );
  }
}

// The type refuses an action without a fault.
const allLegal: LegalFaults = { ...answerFaults, ...bodyFaults };

/** The faults of real servers. */
export const legalFaults: FaultCatalogue<FaultAction, FaultTarget, FaultEffect> =
  new FaultCatalogue<FaultAction, FaultTarget, FaultEffect>(allLegal);

/** The faults that no real server has. */
export const illegalFaults: FaultCatalogue<IllegalAction, ControlledStream, void> =
  new FaultCatalogue<IllegalAction, ControlledStream, void>(watchFaults);
