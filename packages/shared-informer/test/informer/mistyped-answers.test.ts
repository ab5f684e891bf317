import { StatusError } from "@listwatch/client";
import { describe, expect, test } from "vitest";
import {
  hasTypeOf,
  mistypingFetch,
  pathsOf,
  withValue,
  wrongValues,
  type DocumentKind,
  type JsonPath,
} from "../support/mistyped-answers.ts";
import { SharedInformer } from "../../src/index.ts";
import { Cluster, versionsOf, type ConfigMap } from "../support/cluster.ts";

const keys = ["default/a", "default/b", "default/c"];
const minute = 60_000;

type Change = (kind: DocumentKind, document: unknown, request: Request) => unknown;

/** A null namespace is read as absent, as in Go: it has a valid type and names another object. */
const isAnotherObject = (path: JsonPath, value: unknown): boolean =>
  path.at(-1) === "namespace" && value === null;

const isScalar = (value: unknown): boolean => typeof value !== "object";
const isComposite = (value: unknown): boolean => value !== null && !isScalar(value);

/**
 * Null, one scalar and one composite value out of the wrong ones for a path. The choice rotates
 * with the number of the path, so that all values occur; `npm run fuzz` tries the rest.
 */
function sampleOf(isWrong: (value: unknown) => boolean, index: number): unknown[] {
  const wrong = wrongValues.filter(isWrong);
  return [(value: unknown) => value === null, isScalar, isComposite].flatMap((isOfClass) => {
    const values = wrong.filter(isOfClass);
    return values.length === 0 ? [] : [values[index % values.length]];
  });
}

/** Returns the final state of an informer that received one changed response. */
async function outcomeOf(
  change: Change,
  watchListSupported: boolean,
  sendError?: object,
): Promise<unknown> {
  const cluster = new Cluster();
  const { clock } = cluster;
  for (const key of keys) await cluster.create(key);
  const fetch = mistypingFetch((request) => cluster.api.fetch(request), change);
  const informer = new SharedInformer<ConfigMap>({
    // Only JSON can be mistyped.
    listerWatcher: cluster.source({ watchListSupported, encoding: "json" }, { fetch }),
    clock,
    random: cluster.random,
    onError: () => undefined,
  });
  let rejection: unknown;
  const stop = new AbortController();
  const run = informer.run(stop.signal).catch((error: unknown) => (rejection = error));
  await clock.advance(1000);
  if (sendError !== undefined) cluster.api.control.watches.list()[0]?.sendError(sendError as never);
  await cluster.update("default/a", { data: { round: "1" } });
  await clock.advance(2 * minute);
  for (const key of keys) await cluster.update(key, { data: { round: "2" } });
  await clock.advance(3 * minute);
  const state = await cluster.state();
  const held = versionsOf(informer.store.list());
  stop.abort();
  await clock.advance(minute);
  await run;
  if (rejection !== undefined) return rejection;
  return Object.entries(state).every(([key, version]) => held[key] === version) &&
    Object.keys(held).length === keys.length
    ? "converged"
    : { state, held };
}

/** Mistypes one value of the first matching document. */
function once(
  isMeant: (kind: DocumentKind, document: unknown) => boolean,
  path: JsonPath,
  value: unknown,
): Change {
  let isDone = false;
  return (kind, document) => {
    if (isDone || !isMeant(kind, document)) return document;
    isDone = true;
    return withValue(document, path, value);
  };
}

const metadata = {
  name: "a",
  namespace: "default",
  uid: "00000000-0000-0000-0000-000000000001",
  resourceVersion: "1",
  labels: { app: "x" },
  annotations: { "k8s.io/initial-events-end": "true" },
  creationTimestamp: "2026-01-01T00:00:00Z",
};
const object = { apiVersion: "v1", kind: "ConfigMap", metadata, data: { a: "b" } };
const list = {
  apiVersion: "v1",
  kind: "ConfigMapList",
  metadata: { resourceVersion: "1", continue: "x", remainingItemCount: 1 },
  items: [object],
};
const event = { type: "ADDED", object };
const status = {
  kind: "Status",
  apiVersion: "v1",
  metadata: {},
  status: "Failure",
  message: "no",
  reason: "Expired",
  details: {
    name: "a",
    kind: "configmaps",
    causes: [{ reason: "ResourceVersionTooLarge", message: "x", field: "y" }],
    retryAfterSeconds: 1,
  },
  code: 410,
};

const isEventOf =
  (type: string) =>
  (kind: DocumentKind, document: unknown): boolean =>
    kind === "event" && (document as { type?: unknown } | null)?.type === type;

interface Target {
  readonly name: string;
  readonly model: unknown;
  readonly streams?: boolean;
  readonly isMeant: (kind: DocumentKind, document: unknown) => boolean;
  readonly sendError?: object;
}

const targets: readonly Target[] = [
  { name: "a list", model: list, isMeant: (kind) => kind === "body" },
  { name: "a MODIFIED event", model: event, isMeant: isEventOf("MODIFIED") },
  { name: "an event of a streamed list", model: event, streams: true, isMeant: isEventOf("ADDED") },
  {
    name: "the bookmark of a streamed list",
    model: event,
    streams: true,
    isMeant: isEventOf("BOOKMARK"),
  },
  {
    name: "an ERROR event",
    model: { type: "ERROR", object: status },
    isMeant: isEventOf("ERROR"),
    sendError: status,
  },
];

describe.each(targets)("$name with one member of a wrong type", (target) => {
  const { model, isMeant, streams = false, sendError } = target;
  const paths = pathsOf(model).map((path, index) => ({ path, index, name: path.join(".") }));

  test.each(paths)("converges: $name", async ({ path, index }) => {
    const present = path.reduce<unknown>(
      (value, member) => (value as Record<string, unknown>)[member],
      model,
    );
    const isWrong = (value: unknown): boolean =>
      !hasTypeOf(value, present) && !isAnotherObject(path, value);
    for (const value of sampleOf(isWrong, index)) {
      const outcome = await outcomeOf(once(isMeant, path, value), streams, sendError);
      expect(outcome, `${path.join(".")} = ${JSON.stringify(value)}`).toBe("converged");
    }
  });
});

describe("a Status with one member of a wrong type", () => {
  const paths = pathsOf(status).map((path, index) => ({ path, index, name: path.join(".") }));

  test.each(paths)("converges when it is a refusal: $name", async ({ path, index }) => {
    for (const value of sampleOf(() => true, index)) {
      let isDone = false;
      const cluster = new Cluster();
      await cluster.create("default/a");
      const informer = new SharedInformer<ConfigMap>({
        listerWatcher: cluster.source(
          { watchListSupported: false },
          {
            fetch: async (request) => {
              if (isDone) return cluster.api.fetch(request);
              isDone = true;
              return Response.json(withValue(status, path, value), { status: 429 });
            },
          },
        ),
        clock: cluster.clock,
        random: cluster.random,
        onError: (error) => expect(error).toBeInstanceOf(StatusError),
      });
      const stop = new AbortController();
      const run = informer.run(stop.signal);
      await cluster.clock.advance(2 * minute);
      expect(versionsOf(informer.store.list())).toEqual(await cluster.state());
      stop.abort();
      await cluster.clock.advance(minute);
      await run;
    }
  });
});

describe("a refusal with an unusual header", () => {
  const values = ["", "x", "-1", "NaN", "1e9", "9".repeat(30), "Fri, 01 Jan 2999 00:00:00 GMT"];

  test.each([
    ...values.map((value) => ["retry-after", value]),
    ["content-type", ""],
    ["content-type", "text/html"],
    ["content-type", "application/vnd.kubernetes.protobuf"],
    ["warning", '299 - "'],
    ["audit-id", ","],
    ["date", "x"],
  ])("converges, without a request storm: %s: %s", async (name = "", value = "") => {
    const cluster = new Cluster();
    await cluster.create("default/a");
    let requests = 0;
    const informer = new SharedInformer<ConfigMap>({
      listerWatcher: cluster.source(
        {},
        {
          fetch: async (request) => {
            requests += 1;
            if (cluster.clock.now() >= Date.UTC(2026, 0, 1) + 10_000)
              return cluster.api.fetch(request);
            return Response.json(status, { status: 429, headers: { [name]: value } });
          },
        },
      ),
      clock: cluster.clock,
      random: cluster.random,
      onError: () => undefined,
    });
    const stop = new AbortController();
    const run = informer.run(stop.signal);
    await cluster.clock.advance(10_000);
    expect(requests).toBeLessThanOrEqual(15);
    await cluster.clock.advance(2 * minute);
    expect(versionsOf(informer.store.list())).toEqual(await cluster.state());
    stop.abort();
    await cluster.clock.advance(minute);
    await run;
  });
});
