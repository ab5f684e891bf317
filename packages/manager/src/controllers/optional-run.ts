import { isStatusError, type Client, type ResourceReference } from "@listwatch/client";
import { sleep, type Clock, type Log } from "@listwatch/core-fifo";
import { FailureLog, linkAbort } from "@listwatch/core-fifo/base";

/** Arguments of {@link runWhileServed}. */
interface OptionalRun {
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Log;
  /** Name of the controller in the log. */
  readonly controller: string;
  readonly resource: ResourceReference<unknown>;
  /** Time between two checks, in milliseconds. */
  readonly intervalMs: number;
  /** Runs while the resource is served. */
  readonly run: (signal: AbortSignal) => Promise<void>;
}

/**
 * Runs work while the server has a resource: starts it when the resource appears and stops it when
 * it is gone. A check that fails in another way, such as for lack of a connection, changes
 * nothing.
 *
 * @throws the error of the work
 */
export async function runWhileServed(parts: OptionalRun, stop: AbortSignal): Promise<void> {
  const { clock, controller, intervalMs, log, resource, run } = parts;
  const failures = new FailureLog({ log, clock, fields: { controller } });
  const plural = `${resource.resource}.${resource.group}`;
  let isAbsent = false;
  try {
    while (!stop.aborted) {
      const isServed = await check(parts, failures, stop);
      if (isServed === true) {
        log.info("Definition has appeared", { controller, resource: plural });
        await runUntilGone(parts, failures, stop, run);
        isAbsent = false;
      } else if (isServed === false && !isAbsent) {
        isAbsent = true;
        log.info("Definition is absent; the controller waits", { controller, resource: plural });
      }
      await pause(clock, intervalMs, stop);
    }
  } finally {
    failures.close();
  }
}

async function runUntilGone(
  parts: OptionalRun,
  failures: FailureLog,
  stop: AbortSignal,
  run: OptionalRun["run"],
): Promise<void> {
  const { clock, controller, intervalMs, log } = parts;
  const link = linkAbort(stop);
  const running = run(link.signal).finally(() => link.abort());
  // Awaited below; a failure must not be unhandled until then.
  running.catch(() => undefined);
  while (!link.signal.aborted) {
    await pause(clock, intervalMs, link.signal);
    if (link.signal.aborted) break;
    if ((await check(parts, failures, link.signal)) === false) {
      log.info("Definition is gone; the controller stops", { controller });
      link.abort();
    }
  }
  link.release();
  await running;
}

/** Whether the server has the resource; `undefined` if it does not answer that. */
async function check(
  { client, resource: { group, resource, version } }: OptionalRun,
  failures: FailureLog,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const subject = "The check of the definition";
  const path = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  try {
    const list: unknown = await client.request({ method: "GET", path, signal });
    failures.recover(subject);
    return namesIn(list).includes(resource);
  } catch (error) {
    if (isStatusError(error, "NotFound")) return false;
    if (!signal.aborted) failures.report({ subject, error, isLasting: true });
    return undefined;
  }
}

/** Returns the names of an APIResourceList. */
function namesIn(list: unknown): readonly unknown[] {
  if (typeof list !== "object" || list === null || !("resources" in list)) return [];
  const { resources } = list;
  if (!Array.isArray(resources)) return [];
  return resources.map((each: unknown) =>
    typeof each === "object" && each !== null && "name" in each ? each.name : undefined,
  );
}

async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, { clock, signal });
  } catch {
    // The caller checks its signals.
  }
}
