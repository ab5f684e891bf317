import type { Verb } from "../input/request-info.ts";
import type { BodyPosition, FaultAction, IllegalAction } from "./fault-action.ts";
import type { FaultRule, FaultTiming } from "./control/fault-rules.ts";
import { ControlInputError } from "./inputs/control-input-error.ts";
import type { JsonReader } from "./inputs/json-reader.ts";
import type { RequestMatch } from "./inputs/request-match.ts";
import type { StatusFault } from "./inputs/status-fault.ts";
import type { CutPosition, StreamShape } from "./inputs/stream-shape.ts";
import type { EventMatch } from "./control/watch-control.ts";

const verbs: readonly Verb[] = [
  "get",
  "list",
  "watch",
  "create",
  "update",
  "patch",
  "delete",
  "deletecollection",
  "",
];
const matchTexts = [
  "method",
  "path",
  "group",
  "resource",
  "subresource",
  "namespace",
  "name",
] as const;

/** A rule as it stands in JSON; `times: -1` is for ever. */
export function readFaultRule<Action>(
  reader: JsonReader,
  readAction: (reader: JsonReader) => Action,
): FaultRule<Action> {
  const times = reader.number("times", 1);
  const action = reader.reader("action");
  const rule: FaultRule<Action> = {
    ...(reader.has("name") ? { name: reader.text("name") } : {}),
    match: readMatch(reader.reader("match")),
    when: readTiming(reader.reader("when")),
    action: readAction(action),
    times: times < 0 ? Infinity : times,
  };
  action.end();
  reader.end();
  return rule;
}

export function readMatch(reader: JsonReader): RequestMatch {
  const match: RequestMatch = {
    ...Object.fromEntries(
      matchTexts.filter((name) => reader.has(name)).map((name) => [name, reader.texts(name)]),
    ),
    ...(reader.has("verb") ? { verb: readVerbs(reader) } : {}),
    ...(reader.has("userAgent") ? { userAgent: reader.text("userAgent") } : {}),
    ...(reader.has("headers") ? { headers: reader.textMap("headers") } : {}),
    ...(reader.has("query") ? { query: reader.textMap("query") } : {}),
  };
  reader.end();
  return match;
}

function readVerbs(reader: JsonReader): readonly Verb[] {
  const wanted = [reader.texts("verb")].flat();
  return wanted.map((text) => {
    const verb = verbs.find((candidate) => candidate === text);
    if (verb === undefined) throw new ControlInputError(`Unknown verb ${text}`);
    return verb;
  });
}

function readTiming(reader: JsonReader): FaultTiming {
  const timing: FaultTiming = {
    ...(reader.has("nth") ? { nth: reader.numbers("nth") } : {}),
    ...(reader.has("skip") ? { skip: reader.number("skip") } : {}),
    ...(reader.has("probability") ? { probability: reader.number("probability") } : {}),
  };
  reader.end();
  return timing;
}

const actionTypes = [
  "status",
  "respond",
  "reset",
  "blackhole",
  "commitThenFail",
  "latency",
  "compact",
  "headers",
  "end",
  "resetBody",
  "truncate",
  "stall",
  "slow",
  "split",
  "delayEvents",
  "errorEvent",
] as const satisfies readonly FaultAction["type"][];

export function readFaultAction(reader: JsonReader): FaultAction {
  const type = reader.choice("type", actionTypes);
  if (type === "reset" || type === "blackhole" || type === "compact") return { type };
  if (type === "status") return { type, status: readStatus(reader.reader("status")) };
  if (type === "headers") return { type, set: reader.textMap("set") };
  if (type === "respond") return readRespond(reader);
  if (type === "commitThenFail") {
    if (!reader.has("with")) return { type };
    return { type, with: readStatus(reader.reader("with")) };
  }
  if (type === "latency") return { type, ms: readRange(reader) };
  if (type === "split") return { type, shape: readShape(reader.reader("shape")) };
  if (type === "delayEvents") {
    return { type, ms: reader.number("ms"), match: readEventMatch(reader.reader("match")) };
  }
  const after = readPosition(reader.reader("after"));
  if (type === "truncate") return { type, at: readCut(reader.reader("at")), after };
  if (type === "slow") return { type, bytesPerSecond: reader.number("bytesPerSecond"), after };
  if (type === "errorEvent") return { type, status: readStatus(reader.reader("status")), after };
  return { type, after };
}

const illegalTypes = [
  "duplicateEvents",
  "reorderEvents",
  "regressRevision",
  "dropEvents",
  "earlyInitialEnd",
] as const satisfies readonly IllegalAction["type"][];

export function readIllegalAction(reader: JsonReader): IllegalAction {
  const type = reader.choice("type", illegalTypes);
  if (type === "earlyInitialEnd") return { type };
  const match = readEventMatch(reader.reader("match"));
  if (type === "regressRevision") return { type, by: reader.number("by"), match };
  return { type, match };
}

function readRespond(reader: JsonReader): FaultAction {
  return {
    type: "respond",
    status: reader.number("status"),
    body: reader.text("body", ""),
    ...(reader.has("headers") ? { headers: reader.textMap("headers") } : {}),
  };
}

function readRange(reader: JsonReader): number | readonly [number, number] {
  const value = reader.numbers("ms");
  if (typeof value === "number") return value;
  const [least, most] = value;
  if (least === undefined || most === undefined || value.length !== 2) {
    throw new ControlInputError("Expected one number or two in ms");
  }
  return [least, most];
}

export function readStatus(reader: JsonReader): StatusFault {
  const status: StatusFault = {
    code: reader.number("code"),
    ...(reader.has("reason") ? { reason: reader.text("reason") } : {}),
    ...(reader.has("message") ? { message: reader.text("message") } : {}),
    ...(reader.has("details") ? { details: reader.object("details") } : {}),
    ...(reader.has("retryAfterSeconds")
      ? { retryAfterSeconds: reader.number("retryAfterSeconds") }
      : {}),
  };
  reader.end();
  return status;
}

export function readShape(reader: JsonReader): StreamShape {
  const shape: StreamShape = {
    ...(reader.has("bytes") ? { bytes: reader.number("bytes") } : {}),
    ...(reader.has("events") ? { events: reader.number("events") } : {}),
    ...(reader.has("padTo") ? { padTo: reader.number("padTo") } : {}),
    crlf: reader.boolean("crlf", false),
  };
  reader.end();
  return shape;
}

export function readCut(reader: JsonReader): CutPosition {
  const cut: CutPosition = {
    ...(reader.has("afterBytes")
      ? { afterBytes: reader.number("afterBytes") }
      : { inside: reader.choice("inside", ["line", "character"], "line") }),
    then: reader.choice("then", ["end", "reset"], "end"),
  };
  reader.end();
  return cut;
}

export function readEventMatch(reader: JsonReader): EventMatch {
  const types = ["ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"] as const;
  const match: EventMatch = {
    ...(reader.has("type") ? { type: reader.choice("type", types) } : {}),
    ...(reader.has("namespace") ? { namespace: reader.text("namespace") } : {}),
    ...(reader.has("name") ? { name: reader.text("name") } : {}),
  };
  reader.end();
  return match;
}

function readPosition(reader: JsonReader): BodyPosition {
  const position: BodyPosition = {
    events: reader.number("events", 0),
    bytes: reader.number("bytes", 0),
  };
  reader.end();
  return position;
}
