import { readCut } from "../inputs/cut-position.ts";
import { ControlInputError } from "../../control/control-errors.ts";
import type { WatchControl } from "../../control/watches.ts";
import { readRequestMatch } from "../inputs/request-match.ts";
import { readStatus } from "../inputs/status-fault.ts";
import { readShape } from "../inputs/stream-shape.ts";
import { readEventMatch } from "../stream/watch-event.ts";
import type { ControlRoute, ControlCall } from "./control-route.ts";
import type { JsonObject } from "@listwatch/core-fifo/base";

/** The open watches, and what can happen to them. */
export const watchRoutes: readonly ControlRoute[] = [
  {
    method: "GET",
    path: "watches",
    run: ({ control }) => ({ watches: control.watches.list().map(watchJson) }),
  },
  {
    method: "POST",
    path: "watches/end",
    fields: ["match"],
    run: ({ control, reader }) => control.watches.end(readRequestMatch(reader.reader("match"))),
  },
  {
    method: "POST",
    path: "watches/reset",
    fields: ["match"],
    run: ({ control, reader }) => control.watches.reset(readRequestMatch(reader.reader("match"))),
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

function watch({ control, parameter }: ControlCall): WatchControl {
  const found = control.watches.get(parameter);
  if (found === undefined) throw new ControlInputError(`No open watch ${parameter}`);
  return found;
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
