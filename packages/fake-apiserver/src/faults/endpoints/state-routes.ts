import { ControlInputError } from "../../control/control-errors.ts";
import type { RecordedRequest } from "../../control/requests.ts";
import { readRequestMatch } from "../inputs/request-match.ts";
import type { ControlRoute } from "./control-route.ts";
import type { JsonObject } from "@listwatch/core-fifo/base";

const restoreModes = ["continue", "rollback"] as const;

/** The revision, the history, the recorded requests, and copies of the whole state. */
export const stateRoutes: readonly ControlRoute[] = [
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

/** Compaction, outages and restarts. */
export const historyRoutes: readonly ControlRoute[] = [
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
        match: readRequestMatch(reader.reader("match")),
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

function requestJson({ query, headers, ...rest }: RecordedRequest): JsonObject {
  return { ...rest, query: Object.fromEntries(query), headers: Object.fromEntries(headers) };
}
