import type { JsonObject } from "@listwatch/core-fifo/base";
import type { ServerControl } from "../control/server-control.ts";
import type { CoreSnapshot } from "../control/controlled-core.ts";
import type { ActiveFault } from "../control/fault-rules.ts";
import { ControlInputError, demandMilliseconds } from "../inputs/control-input-error.ts";
import type { JsonReader } from "../inputs/json-reader.ts";
import {
  readCut,
  readEventMatch,
  readFaultAction,
  readFaultRule,
  readIllegalAction,
  readMatch,
  readShape,
  readStatus,
} from "../read-fault.ts";
import type { RecordedRequest } from "../control/request-recorder.ts";
import type { WatchControl } from "../control/watch-control.ts";

/** One request to a control route. */
export interface ControlCall {
  readonly control: ServerControl;
  readonly snapshots: Map<string, CoreSnapshot>;
  readonly reader: JsonReader;
  readonly query: URLSearchParams;
  readonly signal: AbortSignal;
  /** What stands in the place of `*` in the path. */
  readonly parameter: string;
}

/** One control request; what it returns becomes the JSON answer. */
export interface ControlRoute {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  /** What the body may hold; other fields are refused before anything is done. @default none */
  readonly fields?: readonly string[] | "checked by run";
  readonly run: (call: ControlCall) => unknown;
}

// How long a barrier waits when the request does not say: shorter than the time-outs of usual test runners.
const defaultWaitMs = 5000;

const restoreModes = ["continue", "rollback"] as const;

const stateRoutes: readonly ControlRoute[] = [
  {
    method: "GET",
    path: "",
    run: () => ({
      routes: controlRoutes.map(({ method, path }) => `${method} /__control/${path}`),
    }),
  },
  { method: "GET", path: "revision", run: ({ control }) => ({ revision: control.revision }) },
  {
    method: "POST",
    path: "revision/advance",
    run: ({ control }) => ({ revision: control.advanceRevision() }),
  },
  {
    method: "GET",
    path: "events",
    run: ({ control, query }) => ({ events: control.eventLog(query.get("resource") ?? undefined) }),
  },
  {
    method: "GET",
    path: "requests",
    run: ({ control: { recorder } }) => ({
      count: recorder.count,
      requests: recorder.list().map(requestJson),
    }),
  },
  { method: "DELETE", path: "requests", run: ({ control }) => control.recorder.clear() },
  {
    method: "POST",
    path: "snapshots",
    run: ({ control, snapshots }) => {
      const id = String(snapshots.size + 1);
      const snapshot = control.snapshot();
      snapshots.set(id, snapshot);
      return { id, revision: snapshot.revision };
    },
  },
  {
    method: "POST",
    path: "snapshots/*/restore",
    fields: ["mode"],
    run: ({ control, snapshots, parameter, reader }) => {
      const snapshot = snapshots.get(parameter);
      if (snapshot === undefined) throw new ControlInputError(`Unknown snapshot ${parameter}`);
      control.restore(snapshot, reader.choice("mode", restoreModes, "continue"));
      return { revision: control.revision };
    },
  },
];

const historyRoutes: readonly ControlRoute[] = [
  {
    method: "POST",
    path: "compact",
    fields: ["to", "watches"],
    run: ({ control, reader }) =>
      control.compact({
        to: reader.number("to", control.revision),
        watches: reader.boolean("watches", true),
      }),
  },
  {
    method: "POST",
    path: "watch-floor",
    fields: ["resource", "revision"],
    run: ({ control, reader }) =>
      control.watchFloor(reader.text("resource"), reader.number("revision")),
  },
  {
    method: "POST",
    path: "expire-mid-list",
    fields: ["match", "pages"],
    run: ({ control, reader }) =>
      control.expireMidList({
        match: readMatch(reader.reader("match")),
        pages: reader.number("pages", 1),
      }),
  },
  {
    method: "POST",
    path: "unready",
    fields: ["resource", "ms"],
    run: ({ control, reader }) =>
      control.unready(reader.text("resource", "*"), reader.number("ms")),
  },
  {
    method: "POST",
    path: "restart",
    fields: ["unreadyMs"],
    run: ({ control, reader }) => control.restart({ unreadyMs: reader.number("unreadyMs", 0) }),
  },
  { method: "POST", path: "shutdown", run: ({ control }) => control.shutdown() },
  { method: "POST", path: "start", run: ({ control }) => control.start() },
];

const faultRoutes: readonly ControlRoute[] = [
  {
    method: "GET",
    path: "faults",
    run: ({ control }) => ({ faults: control.faults.list().map(faultJson) }),
  },
  {
    method: "POST",
    path: "faults",
    fields: "checked by run",
    run: ({ control, reader }) =>
      faultJson(control.faults.add(readFaultRule(reader, readFaultAction))),
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
    run: ({ control, reader }) =>
      faultJson(control.illegal.faults.add(readFaultRule(reader, readIllegalAction))),
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

const policyRoutes: readonly ControlRoute[] = [
  {
    method: "POST",
    path: "watch-list",
    fields: ["mode"],
    run: ({ control, reader }) => {
      control.watchList = reader.choice("mode", ["supported", "refused", "ignored"]);
    },
  },
  {
    method: "POST",
    path: "bookmarks",
    fields: ["everyMs", "afterEvents", "suppress", "initialEnd"],
    run: ({ control, reader }) =>
      control.bookmarks.set({
        ...(reader.has("everyMs") ? { everyMs: reader.number("everyMs") } : {}),
        ...(reader.has("afterEvents") ? { afterEvents: reader.number("afterEvents") } : {}),
        suppress: reader.boolean("suppress", false),
        initialEnd: reader.choice("initialEnd", ["sent", "never"], "sent"),
      }),
  },
  {
    method: "POST",
    path: "front-ends/route",
    fields: ["to"],
    run: ({ control, reader }) => control.frontEnds.route(reader.number("to")),
  },
  {
    method: "POST",
    path: "front-ends/*/lag",
    fields: ["revisions", "resource"],
    run: ({ control, parameter, reader }) =>
      frontEnd(control, parameter).lag(reader.number("revisions"), reader.text("resource", "*")),
  },
  {
    method: "POST",
    path: "front-ends/*/freeze",
    fields: ["resource"],
    run: ({ control, parameter, reader }) =>
      frontEnd(control, parameter).freeze(reader.text("resource", "*")),
  },
  {
    method: "POST",
    path: "front-ends/*/catch-up",
    run: ({ control, parameter }) => frontEnd(control, parameter).catchUp(),
  },
];

const watchRoutes: readonly ControlRoute[] = [
  {
    method: "GET",
    path: "watches",
    run: ({ control }) => ({ watches: control.watches.list().map(watchJson) }),
  },
  {
    method: "POST",
    path: "watches/end",
    fields: ["match"],
    run: ({ control, reader }) => control.watches.end(readMatch(reader.reader("match"))),
  },
  {
    method: "POST",
    path: "watches/reset",
    fields: ["match"],
    run: ({ control, reader }) => control.watches.reset(readMatch(reader.reader("match"))),
  },
  { method: "POST", path: "watches/*/end", run: (call) => watch(call).end() },
  { method: "POST", path: "watches/*/reset", run: (call) => watch(call).reset() },
  { method: "POST", path: "watches/*/stall", run: (call) => watch(call).stall() },
  { method: "POST", path: "watches/*/resume", run: (call) => watch(call).resume() },
  {
    method: "POST",
    path: "watches/*/truncate",
    fields: "checked by run",
    run: (call) => watch(call).truncate(readCut(call.reader)),
  },
  {
    method: "POST",
    path: "watches/*/split",
    fields: "checked by run",
    run: (call) => watch(call).split(readShape(call.reader)),
  },
  {
    method: "POST",
    path: "watches/*/slow",
    fields: ["bytesPerSecond"],
    run: (call) => watch(call).slow(call.reader.number("bytesPerSecond")),
  },
  {
    method: "POST",
    path: "watches/*/hold",
    fields: "checked by run",
    run: (call) => watch(call).hold(readEventMatch(call.reader)),
  },
  { method: "POST", path: "watches/*/release", run: (call) => watch(call).release() },
  {
    method: "POST",
    path: "watches/*/error",
    fields: "checked by run",
    run: (call) => watch(call).sendError(readStatus(call.reader)),
  },
];

const barrierRoutes: readonly ControlRoute[] = [
  barrier("watch-open", ["match", "count"], ({ control, reader }, options) =>
    control.when.watchOpen(readMatch(reader.reader("match")), options),
  ),
  barrier("watches-closed", ["match"], ({ control, reader }, options) =>
    control.when.watchesClosed(readMatch(reader.reader("match")), options),
  ),
  barrier("list-served", ["match", "count"], ({ control, reader }, options) =>
    control.when.listServed(readMatch(reader.reader("match")), options),
  ),
  barrier("request-served", ["match", "count"], ({ control, reader }, options) =>
    control.when.requestServed(readMatch(reader.reader("match")), options),
  ),
  barrier("all-watchers-at", ["match", "revision"], ({ control, reader }, options) =>
    control.when.allWatchersAt(
      reader.number("revision", control.revision),
      readMatch(reader.reader("match")),
      options,
    ),
  ),
  barrier("idle", [], ({ control }, options) => control.when.idle(options)),
];

/** Everything that can be asked under the control prefix. */
export const controlRoutes: readonly ControlRoute[] = [
  ...stateRoutes,
  ...historyRoutes,
  ...faultRoutes,
  ...policyRoutes,
  ...watchRoutes,
  ...barrierRoutes,
];

function barrier(
  name: string,
  fields: readonly string[],
  wait: (call: ControlCall, options: { signal: AbortSignal; count: number }) => Promise<void>,
): ControlRoute {
  return {
    method: "POST",
    path: `when/${name}`,
    fields: ["timeoutMs", ...fields],
    run: (call) => {
      const timeoutMs = call.reader.number("timeoutMs", defaultWaitMs);
      demandMilliseconds(timeoutMs, "timeoutMs");
      const timeout = AbortSignal.timeout(timeoutMs);
      const signal = AbortSignal.any([call.signal, timeout]);
      return wait(call, { signal, count: call.reader.number("count", 1) });
    },
  };
}

function watch({ control, parameter }: ControlCall): WatchControl {
  const found = control.watches.get(parameter);
  if (found === undefined) throw new ControlInputError(`No open watch ${parameter}`);
  return found;
}

function frontEnd(
  control: ServerControl,
  parameter: string,
): ReturnType<ServerControl["frontEnds"]["at"]> {
  if (!/^\d$/.test(parameter)) {
    throw new ControlInputError(`Expected the number of a front end from 0 to 9, got ${parameter}`);
  }
  return control.frontEnds.at(Number(parameter));
}

function watchJson(open: WatchControl): JsonObject {
  const { id, resource, parameters, startRevision, sentRevision, bytes, stalled } = open;
  const { path, namespace } = open.request;
  const userAgent = open.request.headers.get("user-agent");
  return {
    id,
    path,
    resource,
    namespace,
    parameters,
    userAgent,
    startRevision,
    sentRevision,
    bytes,
    stalled,
  };
}

function requestJson({ query, headers, ...rest }: RecordedRequest): JsonObject {
  return { ...rest, query: Object.fromEntries(query), headers: Object.fromEntries(headers) };
}

function faultJson({ name, matched, fired, consumed }: ActiveFault): JsonObject {
  return { name, matched, fired, consumed };
}
