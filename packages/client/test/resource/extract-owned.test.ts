import {
  createClient,
  createConnection,
  defineResource,
  extractOwned,
  type Identity,
} from "@listwatch/client";
import type { KubernetesObject } from "@listwatch/core-fifo";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { expect, expectTypeOf, test } from "vitest";
import { growth, mostOfLinear } from "../support/growth.ts";

interface Container {
  name: string;
  image?: string;
  env?: { name: string; value: string }[];
  ports?: { containerPort: number; protocol?: string }[];
}
interface Deployment extends KubernetesObject {
  spec: {
    replicas?: number;
    selector: { matchLabels: Record<string, string> };
    template: {
      metadata: { labels: Record<string, string> };
      spec: { containers: Container[] };
    };
  };
  status?: { replicas?: number };
}

const deployments = defineResource<Deployment>({
  group: "apps",
  version: "v1",
  resource: "deployments",
  kind: "Deployment",
  scope: "Namespaced",
});
const labels = { app: "web" };
const configuration = {
  metadata: { name: "web", labels, finalizers: ["example.com/first"] },
  spec: {
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: {
        containers: [
          { name: "main", image: "web:1", ports: [{ containerPort: 80, protocol: "TCP" }] },
          { name: "side", image: "side:1" },
        ],
      },
    },
  },
};

function setUp() {
  const api = new FakeApiServer();
  const connection = createConnection({ server: "http://fake", fetch: api.fetch });
  return createClient(connection, { fieldManager: "first" }).in("default").resource(deployments);
}

test("a manager gets back the configuration that it applied, with type and name (CLI-7)", async () => {
  const web = setUp();
  const applied = await web.apply(configuration);
  const owned = extractOwned(applied, "first");
  expect(owned).toEqual({
    apiVersion: "apps/v1",
    kind: "Deployment",
    ...configuration,
    metadata: { ...configuration.metadata, namespace: "default" },
  });
  expectTypeOf(owned).toExtend<{ readonly spec?: object | undefined } | undefined>();
});

test("it contains no members, elements or values of other managers (CLI-7)", async () => {
  const web = setUp();
  await web.apply(configuration);
  const containers = [{ name: "main", env: [{ name: "LEVEL", value: "debug" }] }];
  const metadata = { name: "web", labels: { team: "a" }, finalizers: ["example.com/second"] };
  const other = { metadata, spec: { replicas: 3, template: { spec: { containers } } } };
  const both = await web.apply(other, { fieldManager: "second" });
  expect(extractOwned(both, "second")).toMatchObject(other);
  const second = extractOwned(both, "second");
  expect(second?.spec?.template?.spec?.containers).toEqual(containers);
  expect(extractOwned(both, "first")?.spec).toEqual(configuration.spec);
  expect(extractOwned(both, "first")?.metadata).toEqual({
    ...configuration.metadata,
    namespace: "default",
  });
});

test("applying it without a part removes that part, and nothing of others (CLI-7)", async () => {
  const web = setUp();
  await web.apply(configuration);
  const spec = { replicas: 3 };
  await web.apply({ metadata: { name: "web" }, spec }, { fieldManager: "second" });
  const owned = extractOwned(await web.get("web"), "first");
  if (owned === undefined) throw new Error("Expected fields of the first manager");
  const { finalizers: _, ...kept } = owned.metadata as Identity & { finalizers?: unknown };
  const after = await web.apply({ ...owned, metadata: kept });
  expect(after.metadata).not.toHaveProperty("finalizers");
  expect(after.spec.replicas).toBe(3);
  expect(after.spec.template.spec.containers).toHaveLength(2);
});

test("it is undefined for another manager, an update or a subresource (CLI-7)", async () => {
  const web = setUp();
  await web.apply(configuration);
  await web.patch("web", { spec: { replicas: 2 } }, { fieldManager: "patcher" });
  const status = { metadata: { name: "web" }, status: { replicas: 1 } };
  const object = await web.apply(status, { fieldManager: "st", subresource: "status" });
  expect(extractOwned(object, "nothing")).toBeUndefined();
  expect(extractOwned(object, "patcher")).toBeUndefined();
  expect(extractOwned(object, "st")).toBeUndefined();
  expect(extractOwned(object, "st", { subresource: "status" })?.status).toEqual({ replicas: 1 });
});

test.each([undefined, null, 7, "x", [1], [{ manager: "a", operation: "Apply", fieldsV1: "f:x" }]])(
  "managed fields of %j do not throw (CLI-7)",
  (managedFields) => {
    const object = { metadata: { name: "a", managedFields } };
    expect(() => extractOwned(object, "a")).not.toThrow();
  },
);

test("takes linear time for a list whose elements are owned one by one", async () => {
  const ratio = await growth(50, (size) => {
    const names = Array.from({ length: size }, (_, index) => `c${index}`);
    const containers = Object.fromEntries(
      names.map((name) => [`k:{"name":"${name}"}`, { "f:image": {} }]),
    );
    const finalizers = Object.fromEntries(names.map((name) => [`v:"${name}"`, {}]));
    const fieldsV1 = {
      "f:metadata": { "f:finalizers": finalizers },
      "f:spec": { "f:containers": containers },
    };
    const items = names.map((name) => ({ name, image: "x" }));
    const metadata = {
      name: "web",
      finalizers: names,
      managedFields: [{ manager: "me", operation: "Apply", fieldsV1 }],
    };
    const object = { metadata, spec: { containers: items, replicas: 1 } };
    return () => {
      const owned = extractOwned(object, "me");
      expect(owned?.spec).toEqual({ containers: items });
      expect(owned?.metadata).toEqual({ name: "web", finalizers: names });
    };
  });
  expect(ratio).toBeLessThan(mostOfLinear);
});
