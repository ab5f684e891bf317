import { FakeApiServer } from "@listwatch/fake-apiserver";
import { expect, test } from "vitest";
import { ApiClient, type Json } from "../support/api-client.ts";
import { podSpec } from "../support/valid-specs.ts";

const namespaces = "/api/v1/namespaces";
const finalizers = ["example.com/f"];

class World {
  readonly server = new FakeApiServer({ seed: 1 });
  readonly client = new ApiClient(this.server);

  async create(
    path: string,
    name: string,
    rest: object = {},
    metadata: object = {},
  ): Promise<void> {
    const { status } = await this.client.call("POST", path, {
      metadata: { name, ...metadata },
      ...rest,
    });
    if (status !== 201) throw new Error(`${path} answered ${status}`);
  }

  async names(resource: string): Promise<readonly string[]> {
    const { body } = await this.client.get(`${namespaces}/a/${resource}`);
    const items: readonly Json[] = body["items"] ?? [];
    return items.map(({ metadata }) => metadata.name);
  }

  release(path: string): Promise<unknown> {
    return this.client.call("PATCH", `${namespaces}/${path}`, { metadata: { finalizers: null } });
  }

  /** Returns status, reason and message of each condition, without those that are well. */
  async problems(): Promise<readonly string[]> {
    const { body } = await this.client.get(`${namespaces}/a`);
    const conditions: readonly Json[] = body["status"].conditions;
    if (conditions.length !== 5) throw new Error(JSON.stringify(conditions));
    return conditions
      .filter((one) => one["status"] === "True")
      .map((one) => `${one["type"]} ${one["reason"]}: ${one["message"]}`);
  }
}

test("a deleted namespace loses its pods first, then the rest", async () => {
  const world = new World();
  await world.create(namespaces, "a");
  await world.create(`${namespaces}/a/configmaps`, "c");
  await world.create(`${namespaces}/a/pods`, "p", { spec: podSpec }, { finalizers });
  await world.client.call("DELETE", `${namespaces}/a`);
  expect(await world.names("configmaps")).toContain("c");
  // As on a cluster, what remains is said once the pods are gone.
  expect(await world.problems()).toEqual([]);
  await world.release("a/pods/p");
  expect((await world.client.get(`${namespaces}/a`)).status).toBe(404);
  expect(await world.names("configmaps")).toEqual([]);
});

test("conditions say what remains in a deleted namespace", async () => {
  const world = new World();
  await world.create(namespaces, "a", {}, { finalizers: ["example.com/own"] });
  for (const name of ["b", "c"]) {
    // oxlint-disable-next-line no-await-in-loop
    await world.create(`${namespaces}/a/configmaps`, name, {}, { finalizers });
  }
  const lease = { metadata: { name: "l", finalizers: [...finalizers, "example.com/g"] } };
  const leases = "/apis/coordination.k8s.io/v1/namespaces/a/leases";
  await world.client.call("POST", leases, { ...lease, spec: {} });
  await world.client.call("DELETE", `${namespaces}/a`);
  expect(await world.problems()).toEqual([
    "NamespaceContentRemaining SomeResourcesRemain: Some resources are remaining: " +
      "configmaps. has 2 resource instances, leases.coordination.k8s.io has 1 resource instances",
    "NamespaceFinalizersRemaining SomeFinalizersRemain: Some content in the namespace has " +
      "finalizers remaining: example.com/f in 3 resource instances, " +
      "example.com/g in 1 resource instances",
  ]);
  await world.release("a/configmaps/b");
  expect((await world.problems())[0]).toContain("configmaps. has 1 resource instances");
  await world.release("a/configmaps/c");
  await world.client.call("PATCH", `${leases}/l`, { metadata: { finalizers: null } });
  expect(await world.problems()).toEqual([]);
  await world.release("a");
  expect((await world.client.get(`${namespaces}/a`)).status).toBe(404);
});

test("a restored namespace is not emptied", async () => {
  const world = new World();
  await world.create(namespaces, "a");
  await world.create(`${namespaces}/a/configmaps`, "c", {}, { finalizers });
  const snapshot = world.server.control.snapshot();
  await world.client.call("DELETE", `${namespaces}/a`);
  world.server.control.restore(snapshot);
  await world.create(`${namespaces}/a/configmaps`, "d");
  expect(await world.names("configmaps")).toEqual(["c", "d"]);
});
