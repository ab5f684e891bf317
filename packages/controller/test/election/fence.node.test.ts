import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createClient, createConnection, type Client, type Connection } from "@listwatch/client";
import { LeaderElector, LeadershipLostError, NotLeadingError } from "@listwatch/controller";
import { silentLog } from "@listwatch/core-fifo";
import { MachineClock } from "../support/candidates.ts";
import {
  Cluster,
  configMap,
  configMapReference,
  server,
  type ConfigMap,
} from "../support/cluster.ts";

let cluster: Cluster;
let stop: AbortController;
let isCut: boolean;

beforeEach(() => {
  cluster = new Cluster();
  stop = new AbortController();
  isCut = false;
});

afterEach(async () => {
  stop.abort();
  await cluster.clock.advance(60_000);
});

/** A connection whose requests for the lease can be cut off. */
function connect(): Connection {
  const fetch = (request: Request): Promise<Response> =>
    isCut && request.url.includes("/leases")
      ? Promise.reject(new TypeError("fetch failed"))
      : cluster.api.fetch(request);
  return createConnection({ server, fetch, headers: { "x-by": "candidate" } });
}

function createElector(options: Partial<ConstructorParameters<typeof LeaderElector>[0]> = {}) {
  const client = createClient(connect(), { clock: cluster.clock });
  const elector = new LeaderElector({
    client,
    identity: "one",
    lease: { namespace: "default", name: "lease" },
    telemetry: { log: silentLog },
    clock: cluster.clock,
    random: () => 0,
    ...options,
  });
  return { client, elector };
}

const maps = (client: Client) => client.resource<ConfigMap>(configMapReference);

describe("A guarded client", () => {
  test("refuses all writes of a standby before a byte is sent, and passes all else", async () => {
    const { client, elector } = createElector();
    const guarded = elector.guard(client);
    await cluster.configMaps.create(configMap("default/a"));
    cluster.api.control.recorder.clear();
    const key = "default/a";
    const object = { ...configMap(key), metadata: { name: "a", namespace: "default" } };
    const all = maps(guarded);
    const writes: readonly (() => Promise<unknown>)[] = [
      () => all.create(configMap("default/b")),
      () => all.update(object),
      () => all.updateStatus(object),
      () => all.patch(key, {}),
      () => all.patchStatus(key, {}),
      () => all.apply(object, { fieldManager: "test" }),
      () => all.delete(key),
      () => all.deleteCollection({ all: true }),
      () => all.subresource("scale").update(key, {}),
      () => all.scale(key, 1),
      () => all.evict(key),
      () => all.bind(key, "node"),
      () => guarded.request({ method: "POST", path: "/api/v1/namespaces", body: {} }),
    ];
    for (const write of writes) await expect(write()).rejects.toBeInstanceOf(NotLeadingError);
    expect(cluster.api.control.recorder.list({ headers: { "x-by": "candidate" } })).toEqual([]);
    await all.get(key);
    await all.list();
    await all.patch(key, { data: {} }, { dryRun: true });
    await all.delete(key, { dryRun: true });
    const path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
    const review = {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SelfSubjectAccessReview",
      spec: { resourceAttributes: { verb: "get", resource: "pods" } },
    };
    await guarded.request({ method: "POST", path, body: review });
    expect(cluster.api.control.recorder.list({ headers: { "x-by": "candidate" } })).toHaveLength(5);
  });

  test("refuses what is not surely a dry run, and deletions of events", async () => {
    const { client, elector } = createElector();
    const guarded = elector.guard(client);
    await cluster.configMaps.create(configMap("default/a"));
    const events = { group: "events.k8s.io", version: "v1", resource: "events" };
    const event = {
      metadata: { namespace: "default", name: "e" },
      regarding: { kind: "ConfigMap", namespace: "default", name: "a" },
      eventTime: "2026-01-01T00:00:00.000000Z",
      reportingController: "test.example/c",
      reportingInstance: "c",
      action: "Test",
      reason: "Test",
      type: "Normal",
    };
    const [map, pod] = ["configmaps/a", "pods/p"].map(
      (path) => `/api/v1/namespaces/default/${path}`,
    );
    const request = (
      method: "DELETE" | "POST",
      path: string | undefined,
      body?: object,
    ): Promise<unknown> =>
      guarded.request({ method, path: path ?? "", query: { dryRun: "All" }, body });
    const options = { apiVersion: "v1", kind: "DeleteOptions" };
    // The server reads no query if a deletion has a body.
    for (const write of [
      () => request("DELETE", map, options),
      () => request("DELETE", map, { ...options, dryRun: [] }),
      () => request("POST", `${pod}/proxy/reload`),
      () => guarded.resource(events).delete("default/e"),
      () => guarded.resource(events).deleteCollection({ namespace: "default", all: true }),
    ]) {
      await expect(write()).rejects.toBeInstanceOf(NotLeadingError);
    }
    await request("DELETE", map);
    await request("DELETE", map, { ...options, dryRun: ["All"] });
    await guarded.resource(events).create(event);
    await guarded.resource(events).patch("default/e", {
      series: { count: 2, lastObservedTime: "2026-01-01T00:00:01.000000Z" },
    });
    expect(Object.keys(await cluster.state())).toEqual(["default/a"]);
  });

  test("writes in a term, while work ends after a stop, and not after the release", async () => {
    const { client, elector } = createElector();
    const guarded = maps(elector.guard(client));
    const errors: unknown[] = [];
    const ended = elector.run(stop.signal);
    const working = elector.lead(async ({ signal }) => {
      await guarded.create(configMap("default/in-term"));
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      await guarded.create(configMap("default/draining"));
    });
    await cluster.clock.advance(100);
    stop.abort();
    await cluster.clock.advance(100);
    await Promise.all([working, ended]);
    await guarded.create(configMap("default/late")).catch((error: unknown) => errors.push(error));
    expect(errors[0]).toBeInstanceOf(NotLeadingError);
    expect(Object.keys(await cluster.state()).toSorted()).toEqual([
      "default/draining",
      "default/in-term",
    ]);
  });

  test("aborts a write in flight when the term ends, and names the loss after it", async () => {
    const { client, elector } = createElector();
    const guarded = maps(elector.guard(client));
    elector.run(stop.signal).catch(() => {});
    await cluster.clock.advance(100);
    expect(elector.isLeader).toBe(true);
    cluster.api.control.faults.add({
      match: { verb: "create", resource: "configmaps" },
      action: { type: "blackhole" },
    });
    isCut = true;
    const writing = guarded.create(configMap("default/a"), { timeoutMs: 60_000 });
    const failed = writing.catch((error: unknown) => error);
    await cluster.clock.advance(11_000);
    expect(await failed).toBeInstanceOf(LeadershipLostError);
    await expect(guarded.create(configMap("default/b"))).rejects.toMatchObject({
      code: "LW_LEADERSHIP_LOST",
    });
  });

  test("guards a connection, too, and leaves the lease and events free", async () => {
    const { elector } = createElector();
    const guarded = createClient(elector.guard(connect()), { clock: cluster.clock });
    await expect(maps(guarded).create(configMap("default/a"))).rejects.toBeInstanceOf(
      NotLeadingError,
    );
    const leases = guarded.resource({
      group: "coordination.k8s.io",
      version: "v1",
      resource: "leases",
      kind: "Lease",
    });
    await leases.create({ metadata: { namespace: "default", name: "lease" } });
    await expect(
      leases.create({ metadata: { namespace: "default", name: "other" } }),
    ).rejects.toBeInstanceOf(NotLeadingError);
    expect(() => elector.guard({} as never)).toThrow(/connection/);
  });

  test("sends no write after the deadline, even if the process was suspended and no timer fired", async () => {
    const machine = new MachineClock(cluster.clock, { offsetMs: 0, rate: 1 });
    const renewals: number[] = [];
    const writes: number[] = [];
    const fetch = (request: Request): Promise<Response> => {
      const isLease = request.url.includes("/leases");
      if (isLease && isCut) return Promise.reject(new TypeError("fetch failed"));
      if (isLease) renewals.push(cluster.clock.now());
      else writes.push(cluster.clock.now());
      return cluster.api.fetch(request);
    };
    const client = createClient(createConnection({ server, fetch }), { clock: cluster.clock });
    const { elector } = createElector({ client, clock: machine });
    const guarded = maps(elector.guard(client));
    elector.run(stop.signal).catch(() => {});
    await cluster.clock.advance(3000);
    isCut = true;
    machine.sleep(30_000);
    const refusals: unknown[] = [];
    for (let index = 0; index < 100; index++) {
      await guarded
        .create(configMap(`default/c${index}`))
        .catch((error: unknown) => refusals.push(error));
      await cluster.clock.advance(300);
    }
    const deadlineMs = (renewals.at(-1) ?? 0) + 10_000;
    expect(writes.filter((ms) => ms >= deadlineMs)).toEqual([]);
    expect(writes.length).toBeGreaterThan(20);
    expect(refusals).toHaveLength(100 - writes.length);
    // Also before its timer fires, the process knows by its clock that it has lost the term.
    for (const refusal of refusals) expect(refusal).toBeInstanceOf(LeadershipLostError);
  });
});
