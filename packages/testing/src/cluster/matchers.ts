import type { ResourceReference } from "@listwatch/client";
import { metaNamespaceKey, type KubernetesObject } from "@listwatch/core-fifo";
import { isJsonEqual, isRecord, recordOf } from "@listwatch/core-fifo/base";
import type { Manager } from "@listwatch/manager";
import type { ClusterState } from "../simulation/scenario.ts";

/** Outcome of a matcher, in the form of Vitest, Jest, Bun and Deno's `@std/expect`. */
export interface MatcherResult {
  /** Whether the value matches. */
  readonly pass: boolean;
  /** Returns the message for a failure, also of `.not`. */
  readonly message: () => string;
}

/** An event to look for: the members that are given must be equal. */
export interface ExpectedEvent {
  /** Reason of the event, such as `Created`. */
  readonly reason?: string | undefined;
  /** `Normal` or `Warning`. */
  readonly type?: string | undefined;
  /** Text that the message contains. */
  readonly message?: string | undefined;
  /** The object that the event is about. */
  readonly about?: KubernetesObject | undefined;
}

/** A cache to compare with the cluster: that of an informer. */
export interface ComparedCache {
  /** The store of the informer. */
  readonly store: { list(): readonly KubernetesObject[] };
}

const coreEvents = { group: "", version: "v1", resource: "events", kind: "Event" };
const newEvents = { ...coreEvents, group: "events.k8s.io" };

/** A reconcile to look for: the members that are given must be equal. */
export interface ExpectedReconcile {
  /** Name of the controller. */
  readonly controller?: string | undefined;
  /** Outcome of the reconcile: `success`, `requeue_after` or `error`. */
  readonly outcome?: "error" | "requeue_after" | "success" | undefined;
}

/** The functions of {@link matchers}. */
export interface Matchers {
  /**
   * Whether an object has a condition of this type in its status.
   *
   * @param status expected status of the condition. @default "True"
   */
  toHaveCondition(object: unknown, type: string, status?: string): MatcherResult;
  /**
   * Whether the cache of an informer equals what the cluster stores of a resource.
   *
   * @param select returns true for the objects that the informer should hold. @default all of them
   */
  toBeInSync<T extends KubernetesObject>(
    informer: ComparedCache,
    cluster: ClusterState,
    resource: ResourceReference<T>,
    select?: (object: T) => boolean,
  ): MatcherResult;
  /**
   * Whether a controller of a manager has reconciled a key, by the last five reconciles of the key.
   *
   * @param expected controller and outcome of the reconcile. @default any
   */
  toHaveReconciled(
    manager: Pick<Manager, "inspect">,
    key: string,
    expected?: ExpectedReconcile,
  ): MatcherResult;
  /** Whether an event was recorded, of `v1` or `events.k8s.io/v1`. */
  toHaveEvent(cluster: ClusterState, expected: ExpectedEvent): MatcherResult;
}

/**
 * Matchers for `expect.extend(matchers)` of Vitest, Jest and Bun, and of `@std/expect` on Deno.
 * With `node:test`, pass the result to an assertion: `assert.ok(result.pass, result.message())`.
 *
 * ```ts
 * import { matchers } from "@listwatch/testing";
 *
 * const pod = { status: { conditions: [{ type: "Ready", status: "True" }] } };
 * const result = matchers.toHaveCondition(pod, "Ready");
 * if (!result.pass) throw new Error(result.message());
 * ```
 */
export const matchers: Matchers = {
  toHaveCondition(object: unknown, type: string, status = "True"): MatcherResult {
    const { conditions } = recordOf(recordOf(object)["status"]);
    const all: readonly unknown[] = Array.isArray(conditions) ? conditions : [];
    const found = all.filter(isRecord).find((condition) => condition["type"] === type);
    const pass = found?.["status"] === status;
    return result(pass, `a condition ${type} with status ${status}`, found ?? all);
  },

  toBeInSync<T extends KubernetesObject>(
    { store }: ComparedCache,
    cluster: ClusterState,
    resource: ResourceReference<T>,
    select: (object: T) => boolean = () => true,
  ): MatcherResult {
    const cached = byKey(store.list());
    const stored = byKey(cluster.list(resource).filter(select));
    const differing = [...new Set([...cached.keys(), ...stored.keys()])].flatMap((key) => {
      const [inCache, inServer] = [cached.get(key), stored.get(key)];
      if (inCache === undefined) return [`${key} is missing in the cache`];
      if (inServer === undefined) return [`${key} is only in the cache`];
      return isJsonEqual(content(inCache), content(inServer)) ? [] : [`${key} differs`];
    });
    return result(differing.length === 0, "a cache equal to the cluster", differing);
  },

  toHaveReconciled(manager, key, { controller, outcome } = {}): MatcherResult {
    const done = manager
      .inspect()
      .controllers.flatMap(({ name, past }) =>
        past
          .filter(([each]) => each === key)
          .flatMap(([, reconciles]) => reconciles.map((reconcile) => ({ name, ...reconcile }))),
      );
    const pass = done.some(
      (each) =>
        (controller === undefined || each.name === controller) &&
        (outcome === undefined || each.outcome === outcome),
    );
    const what = [outcome, controller && `of ${controller}`].filter(Boolean).join(" ");
    return result(pass, `a reconcile of ${key}${what === "" ? "" : `, ${what}`}`, done);
  },

  toHaveEvent(cluster: ClusterState, expected: ExpectedEvent): MatcherResult {
    // Both resources show the same objects.
    const core = cluster.list(coreEvents);
    const all = core.length > 0 ? core : cluster.list(newEvents);
    const events = all.map((event) => recordOf(event));
    const pass = events.some((event) => matchesEvent(event, expected));
    const seen = events.map(({ message, note, reason, type }) => ({
      type,
      reason,
      message: note ?? message,
    }));
    return result(pass, `an event with ${JSON.stringify(expected)}`, seen);
  },
};

function matchesEvent(event: Readonly<Record<string, unknown>>, expected: ExpectedEvent): boolean {
  const { about, message, reason, type } = expected;
  const text = event["note"] ?? event["message"];
  const { name, namespace, uid } = recordOf(event["involvedObject"] ?? event["regarding"]);
  const metadata = about?.metadata;
  return (
    (reason === undefined || event["reason"] === reason) &&
    (type === undefined || event["type"] === type) &&
    (message === undefined || (typeof text === "string" && text.includes(message))) &&
    (metadata === undefined ||
      (metadata.uid === undefined
        ? name === metadata.name && (namespace ?? "") === (metadata.namespace ?? "")
        : uid === metadata.uid))
  );
}

function byKey(objects: readonly KubernetesObject[]): ReadonlyMap<string, KubernetesObject> {
  return new Map(objects.map((object) => [metaNamespaceKey(object), object]));
}

/** Returns an object without what an informer may leave out, and what only lists leave out. */
function content(object: KubernetesObject): object {
  const { apiVersion: _apiVersion, kind: _kind, metadata, ...rest } = object;
  const { managedFields: _managedFields, ...kept } = recordOf(metadata);
  return { ...rest, metadata: kept };
}

function result(pass: boolean, expected: string, found: unknown): MatcherResult {
  return {
    pass,
    message: () => {
      const shown = JSON.stringify(found, undefined, 2);
      return `Expected ${pass ? "not " : ""}${expected}, found ${shown}`;
    },
  };
}
