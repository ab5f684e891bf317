import { UnconsumedFaultsError } from "../../control/control-errors.ts";
import type { ActiveFault, FaultRule, FaultRules, FaultTiming } from "../../control/fault-rules.ts";
import type { MatchableRequest, RequestMatch } from "../../control/requests.ts";
import { matchesRequest } from "../inputs/request-match.ts";
import { JsonReader } from "../inputs/json-reader.ts";
import { SeenRequests } from "./seen-requests.ts";
import { checkFaultRule, readFaultRule } from "./fault-rule.ts";

interface TypedAction {
  readonly type: string;
}

/** The actions of a list of rules. */
export interface ActionRules<Action extends TypedAction> {
  /** @throws {@link ControlInputError} for an unknown action or a field of a wrong type */
  read(reader: JsonReader): Action;
  /** @throws {@link ControlInputError} for an action that cannot be carried out */
  check(action: Action): void;
  /** True for an action that decides how the answer ends. */
  endsAnswer(action: Action): boolean;
}

/** Rules in the order in which they were set, and how often each has fired. */
export class RuleList<Action extends TypedAction> implements FaultRules<Action> {
  readonly #random: () => number;
  #rules: RuleState<Action>[] = [];
  readonly #actions: ActionRules<Action>;
  #count = 0;

  constructor(random: () => number, actions: ActionRules<Action>) {
    this.#random = random;
    this.#actions = actions;
  }

  get isEmpty(): boolean {
    return this.#rules.length === 0;
  }

  add(rule: FaultRule<Action>): ActiveFault {
    return this.#set(readFaultRule(new JsonReader(rule), (action) => this.#actions.read(action)));
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

  list(): readonly ActiveFault[] {
    return this.#rules;
  }

  clear(): void {
    this.#rules = [];
  }

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
   * Returns the actions that the request triggers, and counts them. Only the first action that
   * decides how the answer ends is taken, so that the next such rule is there for the next
   * request.
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
