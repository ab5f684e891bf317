import { InvalidOptionsError, KeyError } from "@listwatch/core-fifo";
import {
  createConnection,
  isNotFound,
  isStatusError,
  NetworkError,
  StatusError,
} from "@listwatch/client";
import { clientGoBehaviour } from "@listwatch/reflector";
import { describe, expect, test } from "vitest";
import {
  clientGoInformerBehaviour,
  NotSyncedError,
  SharedInformer,
  type SharedInformerOptions,
} from "../../src/index.ts";
import { Cluster, type ConfigMap } from "../support/cluster.ts";
import { informerOf } from "../support/informer.ts";
import { logTo } from "../support/lines.ts";
import { ScriptedSource } from "../support/scripted-source.ts";

/** A server may only refuse to stream the list: an ordinary one follows at once. */
const stopWhenRefused: SharedInformerOptions<ConfigMap, never>["onError"] = (error, origin) =>
  origin.kind === "watch" &&
  origin.recovery === "relist" &&
  isStatusError(error, "BadRequest", "Invalid", "MethodNotAllowed")
    ? "stop"
    : "log";

describe("an informer in trouble", () => {
  test("reports what prevents its sync, and recovers (403)", async () => {
    const cluster = new Cluster();
    const reasons: unknown[] = [];
    await using informer = informerOf(cluster, {
      onError: (error) => void reasons.push(error),
    });
    cluster.api.control.faults.add({
      match: { resource: "configmaps" },
      action: { type: "status", status: { code: 403 } },
      times: 4,
    });
    void informer.run();
    await cluster.clock.settle();
    const { hasSynced, problem } = informer.status();
    expect(hasSynced).toBe(false);
    expect(problem).toMatchObject({ reason: "forbidden", sinceMs: cluster.clock.now() });
    expect(reasons[0]).toBeInstanceOf(StatusError);
    await cluster.clock.advance(60_000);
    expect(informer.status().problem).toBeUndefined();
    expect(informer.hasSynced).toBe(true);
  });

  test("stops for a 403 when onError returns stop, and run and synced reject with it", async () => {
    const cluster = new Cluster();
    const informer = informerOf(cluster, {
      onError: (error, { kind }) =>
        kind === "watch" && isStatusError(error, "Forbidden") ? "stop" : undefined,
    });
    cluster.api.control.faults.add({
      action: { type: "status", status: { code: 403 } },
      times: Infinity,
    });
    await expect(informer.run()).rejects.toThrow(StatusError);
    await expect(informer.synced).rejects.toThrow(NotSyncedError);
    expect(informer.phase).toBe("stopped");
    expect(cluster.clock.pendingTimers).toBe(0);
  });

  test.each([
    { code: 400, reason: "BadRequest" },
    { code: 405, reason: "MethodNotAllowed" },
    { code: 422, reason: "Invalid" },
  ])(
    "reports a request that the server rejects, and either continues or stops: $code",
    async (status) => {
      const cluster = new Cluster();
      await using informer = informerOf(cluster, { onError: () => undefined });
      cluster.api.control.faults.add({ action: { type: "status", status }, times: Infinity });
      void informer.run();
      await cluster.clock.settle();
      expect(informer.status().problem).toMatchObject({
        reason: "badRequest",
        error: { status: { code: status.code } },
      });
      expect(informer.phase).toBe("running");
      const stopped = informerOf(cluster, { onError: stopWhenRefused });
      await expect(stopped.run()).rejects.toThrow(StatusError);
      await expect(stopped.synced).rejects.toThrow(NotSyncedError);
    },
  );

  test("does not stop when the server only refuses to stream the list", async () => {
    const cluster = new Cluster();
    cluster.api.control.watchList = "refused";
    await using informer = informerOf(cluster, { onError: stopWhenRefused });
    void informer.run();
    await cluster.clock.settle();
    expect(informer.hasSynced).toBe(true);
    expect(informer.status().problem).toBeUndefined();
  });

  test("distinguishes an untrusted certificate from an unreachable server", async () => {
    const cluster = new Cluster();
    const code = "SELF_SIGNED_CERT_IN_CHAIN";
    const cause = Object.assign(new Error("self-signed certificate"), { code });
    const fetch = (): Promise<Response> => Promise.reject(new TypeError("fetch failed", { cause }));
    await using informer = informerOf(cluster, {
      listerWatcher: cluster.source({}, { fetch }),
      onError: () => undefined,
    });
    void informer.run();
    await cluster.clock.settle();
    expect(informer.status().problem).toMatchObject({
      reason: "untrustedCertificate",
      error: { message: expect.stringContaining("tls.ca") },
    });
  });

  test("distinguishes credentials that cannot be obtained from those that are refused", async () => {
    const cluster = new Cluster();
    const connection = createConnection({
      server: "http://cluster",
      fetch: (request) => cluster.api.fetch(request),
      headers: () => Promise.reject(new Error("The exec plugin login ended with code 1")),
    });
    await using informer = informerOf(cluster, {
      listerWatcher: cluster.source({}, connection),
      onError: () => undefined,
    });
    void informer.run();
    await cluster.clock.settle();
    expect(informer.status().problem).toMatchObject({
      reason: "credentials",
      error: { code: "LW_CREDENTIALS", message: expect.stringContaining("ended with code 1") },
    });
  });

  test("waits silently for a resource that is not served yet", async () => {
    const cluster = new Cluster();
    const lines: string[] = [];
    await using informer = informerOf(cluster, {
      onError: (error) => (isNotFound(error) ? "retry" : "log"),
      telemetry: { log: logTo(lines) },
    });
    cluster.api.control.faults.add({
      action: { type: "status", status: { code: 404 } },
      times: 4,
    });
    void informer.run();
    await cluster.clock.settle();
    expect(informer.status().problem?.reason).toBe("notFound");
    await cluster.clock.advance(60_000);
    expect(informer.hasSynced).toBe(true);
    expect(lines).toEqual([]);
  });

  test("names the operation of a failed list or watch, and how it goes on", async () => {
    const cluster = new Cluster();
    const origins: unknown[] = [];
    await using informer = informerOf(cluster, {
      name: "pods",
      onError: (_error, origin) => void origins.push(origin),
    });
    cluster.api.control.faults.add({ action: { type: "status", status: { code: 500 } }, times: 1 });
    void informer.run();
    await informer.synced;
    const context = { reflector: "pods", operation: "openWatch", recovery: "list", attempts: 1 };
    expect(origins).toEqual([{ kind: "watch", ...context }]);
  });

  test("ends with what onError throws for a failed list or watch", async () => {
    const cluster = new Cluster();
    const informer = informerOf(cluster, {
      onError: () => {
        throw new Error("enough");
      },
    });
    cluster.api.control.faults.add({ action: { type: "status", status: { code: 500 } } });
    await expect(informer.run()).rejects.toThrow("enough");
    expect(cluster.clock.pendingTimers).toBe(0);
  });

  test("reports an unreachable server and stays alive", async () => {
    const cluster = new Cluster();
    const errors: unknown[] = [];
    await using informer = informerOf(cluster, {
      onError: (error, { kind }) => void errors.push([error instanceof NetworkError, kind]),
    });
    cluster.api.control.faults.add({ action: { type: "reset" }, times: 3 });
    void informer.run();
    await cluster.clock.settle();
    expect(informer.status().problem?.reason).toBe("unreachable");
    await cluster.clock.advance(60_000);
    expect(errors[0]).toEqual([true, "watch"]);
    expect(informer.hasSynced).toBe(true);
  });

  test("rejects invalid options, and names the expected values", async () => {
    const cluster = new Cluster();
    await using informer = informerOf(cluster);
    const wrong: unknown = "sideways";
    expect(() => informerOf(cluster, { resyncMs: -1 })).toThrow(InvalidOptionsError);
    expect(() => informerOf(cluster, { behaviour: wrong as never })).toThrow(
      "Cannot use the option behaviour: expected clientGoInformerBehaviour, got the string " +
        '"sideways"',
    );
    const copied: object = Object.assign({}, clientGoInformerBehaviour);
    expect(() => informerOf(cluster, { behaviour: copied as never })).toThrow(InvalidOptionsError);
    const ofReflectors: unknown = clientGoBehaviour;
    expect(() => informerOf(cluster, { behaviour: ofReflectors as never })).toThrow(
      "expected clientGoInformerBehaviour",
    );
    expect(() => informer.addEventHandler({}, { maxBacklog: Number.NaN })).toThrow(
      "Cannot use the option maxBacklog: expected a number of 0 or more, got the number NaN",
    );
    expect(() => informerOf(cluster, { listerWatcher: wrong as never })).toThrow(
      "Cannot use the option listerWatcher: expected an object with the functions list and " +
        'watch, got the string "sideways"',
    );
    expect(() => new SharedInformer({} as never)).toThrow(InvalidOptionsError);
    expect(() => informer.addEventHandler(undefined as never)).toThrow(
      "Cannot use the option handler: expected an object with onAdd, onUpdate or onDelete, got " +
        "undefined",
    );
    const misspelt: object = { onAdded: () => {}, onUpdated: () => {} };
    expect(() => informer.addEventHandler(misspelt)).toThrow(
      "Cannot use the option handler: expected an object with onAdd, onUpdate or onDelete, got " +
        "an object with onAdded, onUpdated",
    );
    expect(() => informer.addEventHandler((() => {}) as never)).toThrow(InvalidOptionsError);
    expect(() => informer.events({ max: 0 })).toThrow(InvalidOptionsError);
    expect(() => informer.events({ overflow: wrong as "block" })).toThrow(InvalidOptionsError);
  });

  test("omits a listed object without a name, reports it, and continues (RF-2)", async () => {
    const errors: unknown[] = [];
    const cluster = new Cluster();
    const good = { metadata: { name: "a", namespace: "shop", resourceVersion: "1", uid: "u" } };
    await using informer = informerOf(cluster, {
      onError: (error) => void errors.push(error),
      listerWatcher: {
        watchListSupported: false,
        list: async () => ({
          metadata: { resourceVersion: "5" },
          items: [good, { metadata: { namespace: "", name: "", resourceVersion: "2", uid: "" } }],
        }),
        watch: async (_, { signal }) => ({
          async *[Symbol.asyncIterator]() {
            await new Promise((resolve) => signal.addEventListener("abort", resolve));
            yield [];
          },
        }),
      },
    });
    void informer.run();
    await informer.synced;
    expect(informer.store.listKeys()).toEqual(["shop/a"]);
    expect(errors).toEqual([expect.any(KeyError)]);
  });

  test("survives a resourceVersion that is not a number, during any wait", async () => {
    const cluster = new Cluster();
    const source = new ScriptedSource();
    await using informer = informerOf(cluster, { listerWatcher: source });
    void informer.run();
    await informer.synced;
    const waiting = informer.waitForResourceVersion("99");
    source.send("a", "abc");
    await cluster.clock.settle();
    source.send("b", "100");
    await waiting;
    expect(informer.store.listKeys()).toEqual(["shop/a", "shop/b"]);
  });

  test("ends, and run rejects with the reason, when changes can no longer be applied (CTL-3)", async () => {
    const cluster = new Cluster();
    const source = new ScriptedSource();
    const informer = informerOf(cluster, { listerWatcher: source });
    const ended = informer.run();
    await informer.synced;
    informer.addListener({
      name: "broken",
      backlog: 0,
      push: () => {},
      sourceSynced: () => {},
      start: () => {},
      stop: () => Promise.resolve(),
      waitForRoom: () => {
        throw new Error("cannot say");
      },
    });
    source.send("a", "11");
    await expect(ended).rejects.toThrow("cannot say");
    expect(informer.phase).toBe("stopped");
    expect(source.openWatches).toBe(0);
    expect(cluster.clock.pendingTimers).toBe(0);
  });
});
