import {
  type MatchableRequest,
  matchesRequest,
  type RequestMatch,
} from "../inputs/request-match.ts";
import { JsonReader } from "../inputs/json-reader.ts";
import { SeenRequests } from "./seen-requests.ts";
import { checkFaultRule, type FaultRule, type FaultTiming, readFaultRule } from "./fault-rule.ts";

/** A rule that has been set. */
export interface ActiveFault {
  readonly name: string;
  /** Number of requests that matched. */
  readonly matched: number;
  /** Number of requests that the rule took. */
  readonly fired: number;
  /** True once the rule has taken `times` requests; at least one for `Infinity`. */
  readonly consumed: boolean;
  remove(): void;
}

/** Thrown when rules were not used as often as `times`: the test did not cause its faults. */
export class UnconsumedFaultsError extends Error {
  override readonly name: string = "UnconsumedFaultsError";
  readonly code = "LW_UNCONSUMED_FAULTS" as const;
  readonly faults: readonly ActiveFault[];

  constructor(faults: readonly ActiveFault[], texts: readonly string[]) {
    super(`Expected every fault to be used, but ${texts.join("; ")}`);
    this.faults = faults;
  }
}

interface TypedAction {
  readonly type: string;
}

/** Functions of a catalogue that rules use. */
export interface ActionRules<Action extends TypedAction> {
  /** @throws {@link ControlInputError} for an unknown action or a field of a wrong type */
  read(reader: JsonReader): Action;
  /** @throws {@link ControlInputError} for an action that cannot be carried out */
  check(action: Action): void;
  /** True for an action that decides how the answer ends. */
  endsAnswer(action: Action): boolean;
}

/** A list of rules, in the order in which they were set. */
export class FaultRules<Action extends TypedAction> {
  readonly #random: () => number;
  #rules: RuleState<Action>[] = [];
  readonly #actions: ActionRules<Action>;
  #count = 0;

  /** @internal */
  constructor(random: () => number, actions: ActionRules<Action>) {
    this.#random = random;
    this.#actions = actions;
  }

  /** True without any rule that could still fire. */
  get isEmpty(): boolean {
    return this.#rules.length === 0;
  }

  /**
   * Sets a rule. Rules are tried in the order in which they were set.
   *
   * @throws {@link ControlInputError} for a rule that could never fire, an action that cannot be
   *   carried out, an unknown field, or a value of a wrong type
   */
  add(rule: FaultRule<Action>): ActiveFault {
    return this.#set(this.#read(new JsonReader(rule)));
  }

  /** Sets a rule that came as JSON, in which negative `times` stand for `Infinity`. @internal */
  addJson(reader: JsonReader): ActiveFault {
    const rule = this.#read(reader);
    return this.#set(rule.times < 0 ? { ...rule, times: Infinity } : rule);
  }

  #read(reader: JsonReader): FaultRule<Action> & { readonly times: number } {
    return readFaultRule(reader, (action) => this.#actions.read(action));
  }

  #set(rule: FaultRule<Action>): ActiveFault {
    checkFaultRule(rule);
    this.#actions.check(rule.action);
    this.#count++;
    const state = new RuleState(rule, rule.name ?? `fault ${this.#count}`, () => {
      this.#rules = this.#rules.filter((other) => other !== state);
    });
    this.#rules = [...this.#rules, state];
    return state;
  }

  /** The rules that are set, used ones included. */
  list(): readonly ActiveFault[] {
    return this.#rules;
  }

  /** Removes every rule. */
  clear(): void {
    this.#rules = [];
  }

  /** @throws {@link UnconsumedFaultsError} if a rule has not fired as often as it should */
  assertConsumed(): void {
    const unused = this.#rules.filter((rule) => !rule.consumed);
    if (unused.length > 0) {
      throw new UnconsumedFaultsError(
        unused,
        unused.map((rule) => rule.describe()),
      );
    }
  }

  /**
   * The actions that the request triggers; counts them. Of actions that decide how the answer ends
   * only the first is taken, so that the next such rule is there for the next request.
   *
   * @internal
   */
  take(request: MatchableRequest): readonly Action[] {
    const actions: Action[] = [];
    let decided = false;
    for (const rule of this.#rules) {
      rule.seen.add(request);
      const isDecision = this.#actions.endsAnswer(rule.action);
      if ((decided && isDecision) || !rule.takes(request, this.#random)) continue;
      actions.push(rule.action);
      decided ||= isDecision;
    }
    return actions;
  }
}

class RuleState<Action extends TypedAction> implements ActiveFault {
  readonly name: string;
  readonly action: Action;
  readonly remove: () => void;
  readonly seen = new SeenRequests();
  matched = 0;
  fired = 0;
  readonly #match: RequestMatch;
  readonly #when: FaultTiming;
  readonly #times: number;

  constructor(rule: FaultRule<Action>, name: string, remove: () => void) {
    this.name = name;
    this.action = rule.action;
    this.remove = remove;
    this.#match = rule.match ?? {};
    this.#when = rule.when ?? {};
    this.#times = rule.times ?? 1;
  }

  get consumed(): boolean {
    return this.#times === Infinity ? this.fired > 0 : this.fired >= this.#times;
  }

  describe(): string {
    const fired = `${this.fired} of ${this.#times} times (${this.matched} requests matched)`;
    const taken = describeFields(this.#match) ?? "every request";
    const when = describeFields(this.#when);
    const rule = `${this.action.type} of ${taken}${when === undefined ? "" : ` when ${when}`}`;
    return `${this.name} fired ${fired}: ${rule}, while the server got ${this.seen.describe()}`;
  }

  takes(request: MatchableRequest, random: () => number): boolean {
    if (this.fired >= this.#times || !matchesRequest(this.#match, request)) return false;
    this.matched++;
    const { nth, skip = 0, probability = 1, condition } = this.#when;
    if (this.matched <= skip) return false;
    if (nth !== undefined && !(typeof nth === "number" ? [nth] : nth).includes(this.matched)) {
      return false;
    }
    if (condition?.() === false) return false;
    // Drawn only where it decides, so that rules without probability leave the sequence alone.
    if (probability < 1 && random() >= probability) return false;
    this.fired++;
    return true;
  }
}

function describeFields(fields: object): string | undefined {
  const text = JSON.stringify(fields);
  return text === "{}" ? undefined : text;
}
