import { sleep, untilAborted } from "@listwatch/core-fifo/base";
import { ControlInputError, ConnectionResetError } from "../../control/control-errors.ts";
import type { FaultAction } from "../../control/fault-action.ts";
import { demand, demandMilliseconds } from "../inputs/demand.ts";
import type { JsonReader } from "../inputs/json-reader.ts";
import {
  canHaveBody,
  checkStatus,
  isAnswerStatus,
  readStatus,
  statusResponse,
} from "../inputs/status-fault.ts";
import type { LegalFaults } from "./fault.ts";

type AnswerFault =
  | "status"
  | "respond"
  | "reset"
  | "blackhole"
  | "commitThenFail"
  | "latency"
  | "compact"
  | "headers";

/** Faults before the answer, and those that change its head or take its place. */
export const answerFaults: LegalFaults<AnswerFault> = {
  status: {
    type: "status",
    endsAnswer: true,
    read: (reader) => ({ type: "status", status: readStatus(reader.reader("status")) }),
    check: (action) => checkStatus(action.status, "action.status"),
    apply: (action, { subject }) => statusResponse(action.status, subject),
  },
  respond: {
    type: "respond",
    endsAnswer: true,
    read: (reader) => ({
      type: "respond",
      status: reader.number("status"),
      body: reader.text("body", ""),
      ...(reader.has("headers") ? { headers: reader.textMap("headers") } : {}),
    }),
    check: ({ status, body = "", headers = {} }) => {
      demand(isAnswerStatus(status), "action.status", "an integer from 200 to 599", status);
      demand(
        body === "" || canHaveBody(status),
        "action.body",
        `no body for the status ${status}`,
        body,
      );
      checkHeaders(headers, "action.headers");
    },
    apply: ({ status, body = "", headers }) => {
      const type = body.startsWith("<") ? "text/html" : "text/plain; charset=utf-8";
      const allHeaders = { ...(body === "" ? {} : { "Content-Type": type }), ...headers };
      return new Response(body === "" ? null : body, { status, headers: allHeaders });
    },
  },
  reset: {
    type: "reset",
    endsAnswer: true,
    read: () => ({ type: "reset" }),
    check: () => {},
    apply: () => {
      throw new ConnectionResetError();
    },
  },
  blackhole: {
    type: "blackhole",
    endsAnswer: true,
    read: () => ({ type: "blackhole" }),
    check: () => {},
    apply: (_action, { signal }) => {
      const { promise } = Promise.withResolvers<never>();
      return untilAborted(promise, signal);
    },
  },
  commitThenFail: {
    type: "commitThenFail",
    endsAnswer: true,
    read: (reader) => ({
      type: "commitThenFail",
      with: reader.hasObject("with")
        ? readStatus(reader.reader("with"))
        : reader.choice("with", ["reset"], "reset"),
    }),
    check: ({ with: instead = "reset" }) => {
      if (instead !== "reset") checkStatus(instead, "action.with");
    },
    apply: ({ with: instead = "reset" }, target) => {
      target.replaceAnswer(() => {
        if (instead === "reset") throw new ConnectionResetError();
        return statusResponse(instead, target.subject);
      });
    },
  },
  latency: {
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
  },
  compact: {
    type: "compact",
    read: () => ({ type: "compact" }),
    check: () => {},
    apply: (_action, target) => target.compactHistory(),
  },
  headers: {
    type: "headers",
    read: (reader) => ({ type: "headers", set: reader.textMap("set") }),
    check: (action) => checkHeaders(action.set, "action.set"),
    apply: (action, target) => target.setHeaders(action.set),
  },
};

type Latency = Extract<FaultAction, { type: "latency" }>["ms"];

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

/** @throws {@link ControlInputError} for names or values that no header can have */
function checkHeaders(headers: Readonly<Record<string, string>>, field: string): void {
  const checked = new Headers();
  try {
    for (const [name, value] of Object.entries(headers)) checked.set(name, value);
  } catch (error) {
    const got = JSON.stringify(headers);
    const message = `Expected names and values of headers in ${field}, got ${got}`;
    throw new ControlInputError(message, { cause: error });
  }
}
