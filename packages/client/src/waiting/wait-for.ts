import type { Cached, KubernetesObject, Scope } from "@listwatch/core-fifo";
import {
  describeDuration,
  linkAbort,
  ListwatchError,
  metadataOf,
  systemClock,
  untilAborted,
  type Clock,
  aClock,
  aFunction,
  aNumber,
  aSignal,
  checkOption,
  checkOptions,
  type OptionsOf,
} from "@listwatch/core-fifo/base";
import { ResourceClient } from "../verbs/resource-client.ts";
import { describeState, holds, type Condition } from "./conditions.ts";
import { objectStates } from "./object-states.ts";

/** Members of an informer that a wait uses. Informers of `@listwatch/shared-informer` have them. */
export interface WaitableInformer<T> {
  /** Whether `store` has had the whole collection. The message of a failed wait reports it. */
  readonly hasSynced?: boolean | undefined;
  /** Resolves when the store has had the whole collection. Rejects if that is no longer possible. */
  readonly synced: Promise<void>;
  /** Returns why it has not synced, for the message of a wait that ends before. */
  explainUnsynced?(): {
    /** Current action or problem, as the end of a sentence. */
    readonly reason: string;
  };
  /** Cache of the informer, for the state at the beginning. */
  readonly store: {
    /** Returns the object with this key; `undefined` if there is none. */
    getByKey(key: string): Cached<T> | undefined;
  };
  /** Returns the changes of all objects, first the current ones. Ends when the signal is aborted. */
  events(options: {
    /** Aborted when the wait ends. */
    readonly signal: AbortSignal;
  }): AsyncIterable<{
    /** Kind of the change: `add`, `update` or `delete`. */
    readonly type: string;
    /** Key of the changed object. */
    readonly key: string;
    /** State after the change. The wait ignores it for `delete`. */
    readonly object?: Cached<T> | undefined;
  }>;
}

/** Options of {@link waitFor}. */
export interface WaitForOptions {
  /**
   * Ends the wait, which rejects with a {@link WaitError} whose cause is the reason.
   *
   * @default none
   */
  readonly signal?: AbortSignal | undefined;
  /**
   * Time limit of the wait, in milliseconds. Without it and without `signal`, the wait lasts until
   * the condition holds, even over an informer that is never started.
   *
   * @default Infinity
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Clock for `timeoutMs`, and for the delay before a failed watch is opened again.
   *
   * @default the client's clock; systemClock for an informer
   */
  readonly clock?: Clock | undefined;
}

/** Checks of {@link WaitForOptions}. */
export const waitForTable: OptionsOf<WaitForOptions> = {
  signal: aSignal,
  timeoutMs: aNumber(0),
  clock: aClock,
};

/** A wait ended before its condition held, or because it cannot hold any more. Code `LW_WAIT`. */
export class WaitError extends ListwatchError {
  /** Always `"WaitError"`, also in minified programs. */
  override readonly name: string = "WaitError";
  /** Key of the awaited object. */
  readonly key: string;
  /** Last known state of the object; `undefined` if it did not exist or was never seen. */
  readonly lastSeen: unknown;

  /** @param lastSeen last known state of the object; `undefined` if none is known */
  constructor(message: string, key: string, lastSeen: unknown, options?: ErrorOptions) {
    super("LW_WAIT", message, options);
    this.key = key;
    this.lastSeen = lastSeen;
  }
}

/**
 * Waits until an object satisfies a condition, and returns it; `undefined` if the condition holds
 * for a missing object. With a client it costs a list and a watch of this object, with an informer
 * no request.
 *
 * An object that is deleted and created again under the same name is another one: the condition is
 * evaluated for the gap, even if it was too short to be seen.
 *
 * ```ts
 * import { createClient, createConnection, isReady, waitFor } from "@listwatch/client";
 * const client = createClient(createConnection({ server: "http://127.0.0.1:8001" }));
 * const nodes = client.resource({
 *   group: "",
 *   version: "v1",
 *   resource: "nodes",
 *   scope: "Cluster",
 * });
 * const wait = () => waitFor(nodes, "worker-1", isReady, { timeoutMs: 60_000 });
 * if (typeof wait !== "function") throw new Error("unreachable");
 * ```
 *
 * @throws {WaitError} with the last known state, at the time limit, on abort, if the informer has
 *   stopped, or if the condition cannot hold any more (`failure` of {@link Condition})
 * @throws {StatusError} if the server refuses permanently
 * @throws {InvalidNameError} if the key cannot belong to an object of the client
 * @throws {InvalidOptionsError} if an option has an invalid value
 * @throws the error of the condition; a `TypeError` if it is asynchronous
 */
export async function waitFor<T extends KubernetesObject, S extends Scope, K extends string>(
  source: ResourceClient<T, S, unknown, K>,
  key: NoInfer<K>,
  condition: Condition<T>,
  options?: WaitForOptions,
): Promise<T | undefined>;
export async function waitFor<T>(
  source: WaitableInformer<T>,
  key: string,
  condition: Condition<Cached<T>>,
  options?: WaitForOptions,
): Promise<Cached<T> | undefined>;
export async function waitFor<T extends KubernetesObject>(
  source: ResourceClient<T> | WaitableInformer<T>,
  key: string,
  condition: Condition<T | Cached<T>>,
  options: WaitForOptions = {},
): Promise<T | Cached<T> | undefined> {
  checkOptions(options, waitForTable);
  checkOption("condition", condition, aFunction);
  const { timeoutMs = Infinity, signal } = options;
  const ofSource = source instanceof ResourceClient ? source.clock : systemClock;
  const { clock = ofSource } = options;
  const link = linkAbort(signal);
  const late = (): void => link.abort(new Error(`not within ${describeDuration(timeoutMs)}`));
  const timer = timeoutMs === Infinity ? undefined : clock.setTimeout(late, timeoutMs);
  const states: AsyncIterable<T | Cached<T> | undefined> =
    source instanceof ResourceClient
      ? objectStates(source, key, { clock, signal: link.signal })
      : statesIn(source, key, link.signal);
  try {
    return await firstMatching(states, key, condition, link.signal, (last) =>
      source instanceof ResourceClient ? describeLast(last) : describeSeen(source, last),
    );
  } finally {
    timer?.cancel();
    link.release();
    link.abort();
  }
}

async function firstMatching<T>(
  states: AsyncIterable<T | undefined>,
  key: string,
  condition: Condition<T>,
  signal: AbortSignal,
  describe: (last: T | undefined) => string,
): Promise<T | undefined> {
  let last: T | undefined;
  const fail = (cause: unknown): WaitError => {
    const { description = "as the condition wants it" } = condition;
    const why = cause instanceof Error ? cause.message : String(cause);
    const message = `${key} is not ${description}: ${why}; ${describe(last)}`;
    return new WaitError(message, key, last, { cause });
  };
  try {
    for await (const state of states) {
      // The gap between an object and another one of the name is a state of its key.
      const isOther = last !== undefined && state !== undefined && uidOf(last) !== uidOf(state);
      const reached: readonly (T | undefined)[] = isOther ? [undefined, state] : [state];
      for (const now of reached) {
        const mayAppear = now === undefined && last === undefined;
        last = now;
        if (holds(condition, now)) return now;
        const reason = mayAppear ? undefined : condition.failure?.(now);
        if (reason !== undefined) throw fail(new Error(reason));
      }
    }
  } catch (error) {
    throw signal.aborted ? fail(signal.reason) : error;
  }
  throw fail(signal.aborted ? signal.reason : new Error("the informer has stopped"));
}

function describeLast(last: unknown): string {
  return `last seen: ${describeState(last)}`;
}

/** Same, for an informer, which knows nothing before it has synced. */
function describeSeen(
  informer: Pick<WaitableInformer<unknown>, "explainUnsynced" | "hasSynced">,
  last: unknown,
): string {
  if (last !== undefined || informer.hasSynced !== false) return describeLast(last);
  const { reason } = informer.explainUnsynced?.() ?? {};
  return `never seen: the informer has not synced${reason === undefined ? "" : `, ${reason}`}`;
}

async function* statesIn<T>(
  informer: WaitableInformer<T>,
  key: string,
  signal: AbortSignal,
): AsyncGenerator<Cached<T> | undefined, void, undefined> {
  await untilAborted(informer.synced, signal);
  yield informer.store.getByKey(key);
  // Begins with everything in the cache, so that nothing is missed after the look at the store.
  for await (const event of informer.events({ signal })) {
    if (event.key === key) yield event.type === "delete" ? undefined : event.object;
  }
}

function uidOf(object: unknown): unknown {
  return metadataOf(object)?.uid;
}
