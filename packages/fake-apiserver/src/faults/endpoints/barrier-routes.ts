import { demandMilliseconds } from "../inputs/demand.ts";
import { readRequestMatch } from "../inputs/request-match.ts";
import type { ControlRoute, ControlCall } from "./control-route.ts";

// Default of the request: shorter than the time limits of usual test runners.
const defaultWaitMs = 5000;

/** The points that a test can wait for. */
export const barrierRoutes: readonly ControlRoute[] = [
  barrier("watch-open", ["match", "count"], ({ control, reader }, options) =>
    control.when.watchOpen(readRequestMatch(reader.reader("match")), options),
  ),
  barrier("watches-closed", ["match"], ({ control, reader }, options) =>
    control.when.watchesClosed(readRequestMatch(reader.reader("match")), options),
  ),
  barrier("list-served", ["match", "count"], ({ control, reader }, options) =>
    control.when.listServed(readRequestMatch(reader.reader("match")), options),
  ),
  barrier("request-served", ["match", "count"], ({ control, reader }, options) =>
    control.when.requestServed(readRequestMatch(reader.reader("match")), options),
  ),
  barrier("all-watchers-at", ["match", "revision"], ({ control, reader }, options) =>
    control.when.allWatchersAt(
      reader.number("revision", control.revision),
      readRequestMatch(reader.reader("match")),
      options,
    ),
  ),
  barrier("idle", [], ({ control }, options) => control.when.idle(options)),
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
