import type { ActiveFault, FaultRules } from "../../control/fault-rules.ts";
import { illegalFaults, legalFaults } from "../actions/fault-catalogue.ts";
import { readFaultRule } from "../control/fault-rule.ts";
import type { JsonReader } from "../inputs/json-reader.ts";
import type { ControlRoute } from "./control-route.ts";
import type { JsonObject } from "@listwatch/core-fifo/base";

/** The rules of faults. */
export const faultRoutes: readonly ControlRoute[] = [
  {
    method: "GET",
    path: "faults",
    run: ({ control }) => ({ faults: control.faults.list().map(faultJson) }),
  },
  {
    method: "POST",
    path: "faults",
    fields: "checked by run",
    run: ({ control, reader }) => faultJson(addRule(control.faults, reader, legalFaults)),
  },
  { method: "DELETE", path: "faults", run: ({ control }) => control.faults.clear() },
  {
    method: "POST",
    path: "faults/assert-consumed",
    run: ({ control }) => control.faults.assertConsumed(),
  },
  {
    method: "GET",
    path: "illegal/faults",
    run: ({ control }) => ({ faults: control.illegal.faults.list().map(faultJson) }),
  },
  {
    method: "POST",
    path: "illegal/faults",
    fields: "checked by run",
    run: ({ control, reader }) => faultJson(addRule(control.illegal.faults, reader, illegalFaults)),
  },
  {
    method: "DELETE",
    path: "illegal/faults",
    run: ({ control }) => control.illegal.faults.clear(),
  },
  {
    method: "POST",
    path: "illegal/stale-reads",
    fields: ["enabled"],
    run: ({ control, reader }) => {
      control.illegal.staleReads = reader.boolean("enabled", true);
    },
  },
];

function faultJson({ name, matched, fired, consumed }: ActiveFault): JsonObject {
  return { name, matched, fired, consumed };
}

/** Sets a rule that came as JSON, which has no infinity: negative `times` stand for it. */
function addRule<Action>(
  rules: FaultRules<Action>,
  reader: JsonReader,
  catalogue: { read(reader: JsonReader): Action },
): ActiveFault {
  const rule = readFaultRule(reader, (action) => catalogue.read(action));
  return rules.add(rule.times < 0 ? { ...rule, times: Infinity } : rule);
}
