import { Collection, createConnection, jsonDecoder } from "@listwatch/client";
import { protobuf } from "@listwatch/client/protobuf";
import { lazyMembers } from "@listwatch/core-fifo/base";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { Decoding } from "../../src/verbs/decoding.ts";

const data = { key: "a text that is long enough to be lazy, in JSON as well as in protobuf" };
const configMaps = { group: "", version: "v1", resource: "configmaps", kind: "ConfigMap" };
const metadata = { namespace: "default", name: "a", uid: "1", resourceVersion: "1" };
const items = [{ metadata, data }];
const list = JSON.stringify({ kind: "ConfigMapList", apiVersion: "v1", metadata: {}, items });

describe("an imported codec", () => {
  test("decodes like the one with its name (PBL-1)", async () => {
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata, data };
    const api = new FakeApiServer({ seed: 1, objects: [object] });
    const answered: (string | null)[] = [];
    const fetch = async (request: Request): Promise<Response> => {
      const response = await api.fetch(request);
      answered.push(response.headers.get("content-type"));
      return response;
    };
    const connection = createConnection({ server: "http://cluster", encoding: protobuf, fetch });
    const collection = new Collection({ connection, resource: configMaps });
    const { signal } = new AbortController();
    const { items: batches } = await collection.list({}, { signal });
    for await (const batch of batches)
      expect(batch).toMatchObject([{ metadata: { name: "a" }, data }]);
    expect(answered).toEqual(["application/vnd.kubernetes.protobuf"]);
  });

  test("is checked like a name", () => {
    const encoding = { decode: () => undefined } as never;
    expect(() => createConnection({ server: "http://cluster", encoding })).toThrow(
      /Cannot use the option encoding: expected one of json, protobuf/,
    );
  });
});

describe("without the named codec, as in a bundle for browsers,", () => {
  async function objectsWithout(fields?: readonly string[]) {
    let missing = 0;
    const decoding = new Decoding(jsonDecoder(), {
      encoding: "protobuf",
      fields,
      onMissingCodec: () => (missing += 1),
      loadCodec: async () => Promise.resolve(undefined),
    });
    await decoding.loaded();
    await decoding.loaded();
    const { decoder } = decoding;
    const objects: object[] = [];
    const reader = decoder.list<object>();
    reader.write(new TextEncoder().encode(list), objects);
    reader.end(objects);
    return { objects, missing, type: decoder.mediaType };
  }

  test("objects are requested as lazy JSON, with one warning", async () => {
    const { objects, missing, type } = await objectsWithout();
    expect(type).toBe("application/json");
    expect(objects.map((object) => Object.hasOwn(object, lazyMembers))).toEqual([true]);
    expect(objects).toMatchObject([{ kind: "ConfigMap", data }]);
    expect(missing).toBe(1);
  });

  test("fields are selected in JSON", async () => {
    const { objects, missing } = await objectsWithout(["metadata.labels"]);
    expect(objects).toEqual([{ kind: "ConfigMap", apiVersion: "v1", metadata }]);
    expect(missing).toBe(1);
  });
});
