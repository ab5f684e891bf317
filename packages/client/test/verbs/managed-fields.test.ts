import {
  Collection,
  createConnection,
  jsonDecoder,
  type CollectionOptions,
  type Decoder,
} from "@listwatch/client";
import { InvalidOptionsError } from "@listwatch/core-fifo";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";

interface ConfigMap {
  readonly metadata: {
    readonly name: string;
    readonly labels?: Record<string, string>;
    readonly managedFields?: readonly unknown[];
  };
  readonly data?: Record<string, string>;
}

const resource = { group: "", version: "v1", resource: "configmaps" };
const signal = new AbortController().signal;
const forms = {
  whole: {},
  lazy: { lazy: true },
  "whole metadata": { fields: ["metadata"] },
  "some fields": { fields: ["metadata.labels", "data"] },
  protobuf: { encoding: "protobuf" },
  "fields in protobuf": { encoding: "protobuf", fields: ["metadata", "data"] },
} as const;
const allForms = Object.entries(forms);

interface Read {
  /** The object in a list and in a watch. */
  readonly objects: readonly ConfigMap[];
  readonly accepted: readonly string[];
}

/** Lists and watches a ConfigMap with managed fields. */
async function read(
  managedFieldsOptOut: boolean,
  options: Partial<CollectionOptions<ConfigMap>>,
): Promise<Read> {
  const api = new FakeApiServer({ managedFieldsOptOut });
  const accepted: string[] = [];
  const connection = createConnection({
    server: "http://server",
    fetch: (request) => {
      accepted.push(request.headers.get("accept") ?? "");
      return api.fetch(request);
    },
  });
  const created = await api.fetch(
    new Request("http://server/api/v1/namespaces/default/configmaps", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        metadata: { name: "a", labels: { app: "web", tier: "front" } },
        data: { text: "long enough to be a lazy member of its object, whatever the encoding is" },
      }),
    }),
  );
  expect(created.status).toBe(201);
  const collection = new Collection<ConfigMap>({ connection, resource, ...options });
  const objects: ConfigMap[] = [];
  for await (const batch of (await collection.list({}, { signal })).items) objects.push(...batch);
  const watch = await collection.watch({}, { signal });
  for await (const batch of watch) {
    for (const event of batch) {
      if (event.type === "ADDED") objects.push(event.object);
    }
    if (objects.length === 2) break;
  }
  return { objects, accepted };
}

describe("managedFields: false (STRIP-3)", () => {
  describe.each([
    ["a server that leaves them out", true],
    ["a server that does not know the parameter", false],
  ])("from %s", (_name, managedFieldsOptOut) => {
    test.each(allForms)("gives objects without them: %s", async (_form, form) => {
      const { objects, accepted } = await read(managedFieldsOptOut, {
        ...form,
        managedFields: false,
      });

      expect(objects).toHaveLength(2);
      for (const { data, metadata } of objects) {
        expect(metadata).toMatchObject({ name: "a", labels: { app: "web" } });
        expect("managedFields" in metadata).toBe(false);
        expect(data?.["text"] ?? form).toSatisfy(
          (text: unknown) => text === forms["whole metadata"] || String(text).startsWith("long"),
        );
      }
      for (const accept of accepted) {
        for (const type of accept.split(","))
          expect(type).toContain(";drop=metadata.managedFields");
      }
    });
  });

  test.each(allForms)("is not the default: %s", async (name, form) => {
    const { objects, accepted } = await read(true, form);

    const isKept = name !== "some fields";
    expect(objects.map(({ metadata }) => Array.isArray(metadata.managedFields))).toEqual([
      isKept,
      isKept,
    ]);
    for (const accept of accepted) expect(accept).not.toContain("drop");
  });

  test("is requested by a decoder that strips them", async () => {
    const decoder = jsonDecoder({ stripManagedFields: true });
    const { objects, accepted } = await read(true, { decoder });

    for (const { metadata } of objects) expect("managedFields" in metadata).toBe(false);
    for (const accept of accepted)
      expect(accept).toBe("application/json;drop=metadata.managedFields");
  });

  test("is refused with a path to them, and with a decoder of one form", () => {
    const connection = createConnection({ server: "http://server" });
    const create = (options: Partial<CollectionOptions>) => () =>
      new Collection({ connection, resource, managedFields: false, ...options });
    const decoder: Decoder = { ...jsonDecoder(), inForm: undefined };

    expect(create({ fields: ["metadata.managedFields"] })).toThrow(InvalidOptionsError);
    expect(create({ decoder })).toThrow(/option managedFields: expected none with this decoder/);
  });
});
