import { FakeApiServer, type FakeApiServerOptions } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { ApiClient, type Json } from "../support/api-client.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { podSpec, template as validTemplate, workloadSpec } from "../support/valid-specs.ts";

const deployments = "/apis/apps/v1/namespaces/default/deployments";
const replicaSets = "/apis/apps/v1/namespaces/default/replicasets";
const pods = "/api/v1/namespaces/default/pods";
const jobs = "/apis/batch/v1/namespaces/default/jobs";

interface Owner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly blockOwnerDeletion: true;
}

function ownerOf({ apiVersion, kind, metadata }: Json): Owner {
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid, blockOwnerDeletion: true };
}

class World {
  readonly clock = new ManualClock(Date.UTC(2026, 0, 2, 3, 4, 5));
  readonly server: FakeApiServer;
  readonly client: ApiClient;

  constructor(options: FakeApiServerOptions = {}) {
    this.server = new FakeApiServer({ clock: this.clock, seed: 1, ...options });
    this.client = new ApiClient(this.server);
  }

  async create(path: string, name: string, ...owners: readonly Owner[]): Promise<Json> {
    const template = validTemplate({ restartPolicy: path === jobs ? "Never" : "Always" });
    const { selector } = workloadSpec;
    const spec = path === pods ? podSpec : path === jobs ? { template } : { selector, template };
    const object = { metadata: { name, ownerReferences: owners }, spec };
    return (await this.client.call("POST", path, object)).body;
  }

  /** Creates a Deployment with a ReplicaSet and two pods. */
  async deploy(): Promise<void> {
    const deployment = await this.create(deployments, "d");
    const replicaSet = await this.create(replicaSets, "r", ownerOf(deployment));
    await this.create(pods, "p1", ownerOf(replicaSet));
    await this.create(pods, "p2", ownerOf(replicaSet));
  }

  async delete(path: string, propagationPolicy?: string): Promise<Json> {
    const query = propagationPolicy === undefined ? "" : `?propagationPolicy=${propagationPolicy}`;
    return (await this.client.call("DELETE", path + query)).body;
  }

  /** Returns the writes since a revision. */
  events(since: number): readonly string[] {
    const { control } = this.server;
    const events = control.eventLog(undefined, { after: since });
    return events.map(({ name, type }) => `${name} ${type}`);
  }

  async names(path: string): Promise<readonly string[]> {
    const { body } = await this.client.get(path);
    const items: readonly Json[] = body["items"];
    return items.map(({ metadata }) => metadata.name);
  }
}

/** Whether each owner reference blocks the deletion of its owner. */
function blocksOf({ metadata }: Json): readonly unknown[] {
  const references: readonly Json[] = metadata.ownerReferences;
  return references.map(({ blockOwnerDeletion }) => blockOwnerDeletion);
}

describe("the garbage collector", () => {
  test("GC-4: background deletion removes dependents after their owner", async () => {
    const world = new World();
    await world.deploy();
    const { revision } = world.server.control;
    await world.delete(`${deployments}/d`, "Background");
    expect(world.events(revision)).toEqual([
      "d DELETED",
      "r DELETED",
      "p1 MODIFIED",
      "p1 DELETED",
      "p2 MODIFIED",
      "p2 DELETED",
    ]);
  });

  test("GC-2: covers kinds that are added while it runs", async () => {
    const world = new World();
    await world.deploy();
    await world.delete(`${deployments}/d`, "Background");
    const version = { name: "v1", served: true, storage: true };
    const schema = { openAPIV3Schema: { type: "object" } };
    await world.client.call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
      metadata: { name: "things.example.com" },
      spec: {
        group: "example.com",
        scope: "Namespaced",
        names: { plural: "things", kind: "Thing" },
        versions: [{ ...version, schema }],
      },
    });
    const things = "/apis/example.com/v1/namespaces/default/things";
    const metadata = { name: "t" };
    const thing = { apiVersion: "example.com/v1", kind: "Thing", metadata };
    const { body } = await world.client.call("POST", things, thing);
    await world.create(pods, "owned", ownerOf(body));
    expect(await world.names(pods)).toEqual(["owned"]);
    await world.delete(`${things}/t`);
    expect(await world.names(pods)).toEqual([]);
  });

  test("GC-4: foreground deletion removes the owner last", async () => {
    const world = new World();
    await world.deploy();
    const { revision } = world.server.control;
    const answer = await world.delete(`${deployments}/d`, "Foreground");
    expect(answer["metadata"].finalizers).toEqual(["foregroundDeletion"]);
    expect(world.events(revision)).toEqual([
      "d MODIFIED",
      "r MODIFIED",
      "p1 MODIFIED",
      "p1 DELETED",
      "p2 MODIFIED",
      "p2 DELETED",
      "r DELETED",
      "d DELETED",
    ]);
  });

  test("GC-4: orphaned dependents lose the owner and remain", async () => {
    const world = new World();
    await world.deploy();
    const { revision } = world.server.control;
    await world.delete(`${deployments}/d`, "Orphan");
    expect(world.events(revision)).toEqual(["d MODIFIED", "r MODIFIED", "d DELETED"]);
    const { body } = await world.client.get(`${replicaSets}/r`);
    expect(body["metadata"]).not.toHaveProperty("ownerReferences");
    expect(await world.names(pods)).toEqual(["p1", "p2"]);
  });

  test("GC-5: a Job that is deleted without a policy keeps its pods", async () => {
    const world = new World();
    const job = await world.create(jobs, "j");
    await world.create(pods, "p", ownerOf(job));
    await world.delete(`${jobs}/j`);
    expect(await world.names(jobs)).toEqual([]);
    expect(await world.names(pods)).toEqual(["p"]);
  });

  test("GC-2: an object with two owners loses the deleted one", async () => {
    const world = new World();
    const first = await world.create(deployments, "a");
    const second = await world.create(deployments, "b");
    await world.create(replicaSets, "r", ownerOf(first), ownerOf(second));
    await world.delete(`${deployments}/a`);
    const { body } = await world.client.get(`${replicaSets}/r`);
    const owners: readonly Owner[] = body["metadata"].ownerReferences;
    expect(owners.map(({ name }) => name)).toEqual(["b"]);
    await world.delete(`${deployments}/b`);
    expect(await world.names(replicaSets)).toEqual([]);
  });

  test("GC-2: an object whose owner has another uid is collected", async () => {
    const world = new World();
    const owner = await world.create(deployments, "a");
    await world.create(replicaSets, "r", { ...ownerOf(owner), uid: "another" });
    expect(await world.names(replicaSets)).toEqual([]);
  });

  test("GC-2: an owner of an unknown kind does not cause a deletion", async () => {
    const world = new World();
    await world.create(pods, "p", {
      apiVersion: "x.io/v1",
      kind: "X",
      name: "x",
      uid: "u",
      blockOwnerDeletion: true,
    });
    expect(await world.names(pods)).toEqual(["p"]);
  });

  test("GC-2: a cluster-scoped object is not collected for an owner in a namespace", async () => {
    const world = new World();
    const owner = await world.create(deployments, "d");
    const roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
    const metadata = { name: "role", ownerReferences: [ownerOf(owner)] };
    await world.client.call("POST", roles, { metadata, rules: [] });
    await world.delete(`${deployments}/d`);
    const answer = await world.client.call("GET", `${roles}/role`);
    expect([answer.status, answer.body["metadata"]["ownerReferences"]]).toEqual([
      200,
      [ownerOf(owner)],
    ]);
  });

  test("GC-3: a dependent with a finalizer keeps its owner waiting", async () => {
    const world = new World();
    const owner = await world.create(deployments, "d");
    await world.create(replicaSets, "r", ownerOf(owner));
    const held = { metadata: { finalizers: ["example.com/held"] } };
    await world.client.call("PATCH", `${replicaSets}/r`, held);
    await world.delete(`${deployments}/d`, "Foreground");
    expect(await world.names(deployments)).toEqual(["d"]);
    await world.client.call("PATCH", `${replicaSets}/r`, { metadata: { finalizers: null } });
    expect(await world.names(replicaSets)).toEqual([]);
    expect(await world.names(deployments)).toEqual([]);
  });

  test("GC-3: owners in a circle do not wait for one another", async () => {
    const world = new World();
    const created = await Promise.all(["p1", "p2", "p3"].map((name) => world.create(pods, name)));
    for (const [index, { metadata }] of created.entries()) {
      const ownerReferences = [ownerOf(created.at(index - 1)!)];
      // oxlint-disable-next-line no-await-in-loop
      await world.client.call("PATCH", `${pods}/${metadata.name}`, {
        metadata: { ownerReferences },
      });
    }
    const { revision } = world.server.control;
    await world.delete(`${pods}/p1`, "Foreground");
    expect(await world.names(pods)).toEqual([]);
    const events = world.server.control.eventLog("pods", { after: revision });
    expect(events.map(({ name, object, type }) => [type, name, blocksOf(object)])).toEqual([
      ["MODIFIED", "p1", [true]],
      ["MODIFIED", "p2", [true]],
      ["MODIFIED", "p3", [false]],
      ["MODIFIED", "p3", [false]],
      ["DELETED", "p2", [true]],
      ["DELETED", "p1", [true]],
      ["DELETED", "p3", [false]],
    ]);
  });

  test("GC-3: an owner goes when its last dependent blocks it no longer", async () => {
    const world = new World();
    const owner = await world.create(deployments, "d");
    await world.create(replicaSets, "r", ownerOf(owner));
    await world.client.call("PATCH", `${replicaSets}/r`, {
      metadata: { finalizers: ["example.com/f"] },
    });
    await world.delete(`${deployments}/d`, "Foreground");
    expect(await world.names(deployments)).toEqual(["d"]);
    const ownerReferences = [{ ...ownerOf(owner), blockOwnerDeletion: false }];
    await world.client.call("PATCH", `${replicaSets}/r`, { metadata: { ownerReferences } });
    expect(await world.names(deployments)).toEqual([]);
    expect(await world.names(replicaSets)).toEqual(["r"]);
  });

  test("GC-1: in controller mode, it works 100 ms later", async () => {
    const world = new World({ garbageCollection: "controller" });
    await world.deploy();
    await world.delete(`${deployments}/d`);
    expect(await world.names(pods)).toEqual(["p1", "p2"]);
    await world.clock.advance(99);
    expect(await world.names(replicaSets)).toEqual(["r"]);
    await world.clock.advance(1);
    expect(await world.names(replicaSets)).toEqual([]);
    expect(await world.names(pods)).toEqual([]);
  });

  test("GC-1: without it dependents remain, and finalizers wait for a client", async () => {
    const world = new World({ garbageCollection: "never" });
    await world.deploy();
    await world.delete(`${deployments}/d`, "Foreground");
    expect(await world.names(deployments)).toEqual(["d"]);
    expect(await world.names(replicaSets)).toEqual(["r"]);
  });

  test("continues after a restored state", async () => {
    const world = new World();
    await world.deploy();
    const snapshot = world.server.control.snapshot();
    await world.delete(`${deployments}/d`);
    world.server.control.restore(snapshot);
    await world.delete(`${deployments}/d`);
    expect(await world.names(pods)).toEqual([]);
  });
});

test.each(["instant", "kubelet", "never"] as const)(
  "EFF-7: a pod is marked before it is deleted (podDeletion: %s)",
  async (podDeletion) => {
    const world = new World({ podDeletion });
    await world.create(pods, "p");
    const { revision } = world.server.control;
    const answer = await world.delete(`${pods}/p`);
    expect(world.events(revision)).toEqual(["p MODIFIED", "p DELETED"]);
    const { deletionGracePeriodSeconds, generation, resourceVersion } = answer["metadata"];
    expect({ deletionGracePeriodSeconds, generation, resourceVersion }).toEqual({
      deletionGracePeriodSeconds: 0,
      generation: 2,
      resourceVersion: String(revision + 2),
    });
  },
);
