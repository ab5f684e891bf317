import { createClient, createConnection, isStatusError, type JsonPatch } from "@listwatch/client";
import type { KubernetesObject } from "@listwatch/core-fifo";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { expect, test } from "vitest";
import { answering, failureOf } from "../support/answering.ts";
import { widgetsCrd } from "../support/widgets-crd.ts";

const pods = { group: "", version: "v1", resource: "pods", kind: "Pod" };
const widgets = { group: "example.com", version: "v1", resource: "widgets", kind: "Widget" };
const definition = widgetsCrd({ type: "object", "x-kubernetes-preserve-unknown-fields": true });

interface Pod extends KubernetesObject {
  readonly spec: { readonly containers: readonly { name: string; image: string }[] };
}

function setUp() {
  const pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { namespace: "default", name: "web" },
    spec: {
      containers: [
        { name: "a", image: "a:1" },
        { name: "b", image: "b:1" },
      ],
    },
  };
  const api = new FakeApiServer({ objects: [pod], crds: [definition] });
  return createClient(createConnection({ server: "http://fake", fetch: api.fetch }));
}

const imagesOf = ({ spec }: Pod): readonly string[] => spec.containers.map(({ image }) => image);
const newImage = { spec: { containers: [{ name: "b", image: "b:2" }] } };

test("a strategic patch merges lists by their keys, a merge patch replaces them (CLI-8)", async () => {
  const client = setUp().resource<Pod>(pods);
  const strategic = await client.patch("default/web", newImage, { type: "strategic" });
  expect(imagesOf(strategic)).toEqual(["a:1", "b:2"]);
  const operations: JsonPatch = [{ op: "replace", path: "/spec/containers/0/image", value: "a:2" }];
  const json = await client.patch("default/web", operations, { type: "json" });
  expect(imagesOf(json)).toEqual(["a:2", "b:2"]);
  // The server rejects the removal of a pod's container: the merge patch would keep only one.
  const merge = await failureOf(client.patch("default/web", newImage));
  expect(isStatusError(merge, "Invalid")).toBe(true);
});

test("custom resources do not support strategic patches (CLI-8)", async () => {
  const client = setUp().resource(widgets);
  await client.create({ metadata: { namespace: "default", name: "a" } });
  const refused = client.patch("default/a", { x: 1 }, { type: "strategic" });
  expect(await failureOf(refused)).toMatchObject({ httpCode: 415 });
  expect(await client.patch("default/a", { x: 1 })).toMatchObject({ x: 1 });
});

test.each([
  [undefined, "application/merge-patch+json"],
  ["merge", "application/merge-patch+json"],
  ["json", "application/json-patch+json"],
  ["strategic", "application/strategic-merge-patch+json"],
  ["apply", "application/apply-patch+yaml"],
] as const)("a patch of the type %s has its media type (CLI-8)", async (type, mediaType) => {
  const { connection, requests } = answering(() => Response.json({}));
  await createClient(connection).resource(pods).patch("a/b", [], { type });
  expect(requests[0]?.headers.get("content-type")).toBe(mediaType);
});
