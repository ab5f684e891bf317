import type { FaultRule, FaultTiming } from "../../control/fault-rules.ts";
import { demand, demandInteger } from "../inputs/demand.ts";
import type { JsonReader } from "../inputs/json-reader.ts";
import { readRequestMatch } from "../inputs/request-match.ts";

/** @throws {@link ControlInputError} for a rule that could never fire, or fire wrongly */
export function checkFaultRule({ when, times = 1 }: FaultRule<unknown>): void {
  demand(
    times === Infinity || (Number.isSafeInteger(times) && times > 0),
    "times",
    "an integer from 1, or Infinity",
    times,
  );
  if (when !== undefined) checkTiming(when);
}

function checkTiming({ nth, skip = 0, probability = 1 }: FaultTiming): void {
  for (const number of [nth ?? 1].flat()) demandInteger(number, 1, "when.nth");
  demandInteger(skip, 0, "when.skip");
  demand(
    probability >= 0 && probability <= 1,
    "when.probability",
    "a number from 0 to 1",
    probability,
  );
}

/**
 * Reads a rule.
 *
 * @throws {@link ControlInputError} for an unknown field or a value of a wrong type
 */
export function readFaultRule<Action>(
  reader: JsonReader,
  readAction: (reader: JsonReader) => Action,
): FaultRule<Action> & { readonly times: number } {
  const action = reader.reader("action");
  const rule = {
    ...(reader.has("name") ? { name: reader.text("name") } : {}),
    match: readRequestMatch(reader.reader("match")),
    when: readTiming(reader.reader("when")),
    action: readAction(action),
    times: reader.number("times", 1),
  };
  action.end();
  reader.end();
  return rule;
}

function readTiming(reader: JsonReader): FaultTiming {
  const timing: FaultTiming = {
    ...(reader.has("nth") ? { nth: reader.numbers("nth") } : {}),
    ...(reader.has("skip") ? { skip: reader.number("skip") } : {}),
    ...(reader.has("probability") ? { probability: reader.number("probability") } : {}),
    ...(reader.has("condition") ? { condition: readCondition(reader) } : {}),
  };
  reader.end();
  return timing;
}

function readCondition(reader: JsonReader): () => boolean {
  const condition = reader.callback("condition");
  return () => condition() !== false;
}
