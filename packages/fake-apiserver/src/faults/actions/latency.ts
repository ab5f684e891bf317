import { sleep } from "@listwatch/core-fifo/base";
import { ControlInputError, demand, demandMilliseconds } from "../inputs/control-input-error.ts";
import type { JsonReader } from "../inputs/json-reader.ts";
import type { LegalFault } from "./fault.ts";

/** Lets the request wait; two numbers are a range that the seeded random chooses from. */
export interface LatencyAction {
  readonly type: "latency";
  readonly ms: Latency;
}

type Latency = number | readonly [least: number, most: number];

/** The fault `latency`. */
export const latency: LegalFault<LatencyAction> = {
  type: "latency",
  read: (reader) => ({ type: "latency", ms: readLatency(reader) }),
  check: ({ ms }) => {
    const [least, most] = rangeOf(ms);
    demandMilliseconds(least, "action.ms");
    demandMilliseconds(most, "action.ms");
    demand(least <= most, "action.ms", "the smaller number first", ms);
  },
  apply: async ({ ms }, { clock, random, signal }) => {
    const [least, most] = rangeOf(ms);
    // Drawn only from a range, so that fixed delays leave the sequence of random numbers alone.
    const delayMs = typeof ms === "number" ? ms : least + random() * (most - least);
    await sleep(delayMs, { clock, signal });
    return undefined;
  },
};

function rangeOf(ms: Latency): readonly [least: number, most: number] {
  return typeof ms === "number" ? [ms, ms] : ms;
}

function readLatency(reader: JsonReader): Latency {
  const value = reader.numbers("ms");
  if (typeof value === "number") return value;
  const [least, most] = value;
  if (least === undefined || most === undefined || value.length !== 2) {
    throw new ControlInputError("Expected one number or two in ms");
  }
  return [least, most];
}
