import { afterEach, describe, expect, test, vi } from "vitest";
import { decodeList, decodeWatch, delimited, frame, joined, list, numeric } from "./samples.ts";

function configMap(name: string, key: string, value: string): Uint8Array {
  const entry = joined([delimited(1, key), delimited(2, value)]);
  return joined([delimited(1, delimited(1, name)), delimited(2, entry)]);
}

function objectOf(kind: string, message: Uint8Array): object {
  return Object(decodeWatch(frame("ADDED", kind, message))[0]?.object) as object;
}

describe("metadata in protobuf", () => {
  test("have every field of ObjectMeta (PBL-2)", () => {
    const time = numeric(1, 1_700_000_000);
    const pair = (key: string, value: string) => joined([delimited(1, key), delimited(2, value)]);
    const owner = [
      delimited(1, "ReplicaSet"),
      delimited(3, "web"),
      delimited(4, "u-1"),
      delimited(5, "apps/v1"),
      numeric(6, 1),
      numeric(7, 0),
    ];
    const managed = [
      delimited(1, "me"),
      delimited(2, "Apply"),
      delimited(3, "v1"),
      delimited(4, time),
      delimited(6, "FieldsV1"),
      delimited(7, delimited(1, '{"f:data":{}}')),
      delimited(8, "status"),
    ];
    const metadata = joined([
      delimited(1, "a"),
      delimited(2, "a-"),
      delimited(3, "default"),
      delimited(4, "/self"),
      delimited(5, "u-a"),
      delimited(6, "12"),
      numeric(7, 3),
      delimited(8, time),
      delimited(9, time),
      numeric(10, 30),
      delimited(11, pair("app", "web")),
      delimited(11, pair("tier", "")),
      delimited(12, pair("note", "é")),
      delimited(13, joined(owner)),
      delimited(14, "example.com/keep"),
      delimited(17, joined(managed)),
    ]);
    expect(objectOf("v1/ConfigMap", delimited(1, metadata))).toHaveProperty("metadata", {
      name: "a",
      generateName: "a-",
      namespace: "default",
      selfLink: "/self",
      uid: "u-a",
      resourceVersion: "12",
      generation: 3,
      creationTimestamp: "2023-11-14T22:13:20Z",
      deletionTimestamp: "2023-11-14T22:13:20Z",
      deletionGracePeriodSeconds: 30,
      labels: { app: "web", tier: "" },
      annotations: { note: "é" },
      ownerReferences: [
        {
          kind: "ReplicaSet",
          name: "web",
          uid: "u-1",
          apiVersion: "apps/v1",
          controller: true,
          blockOwnerDeletion: false,
        },
      ],
      finalizers: ["example.com/keep"],
      managedFields: [
        {
          manager: "me",
          operation: "Apply",
          apiVersion: "v1",
          time: "2023-11-14T22:13:20Z",
          fieldsType: "FieldsV1",
          fieldsV1: { "f:data": {} },
          subresource: "status",
        },
      ],
    });
  });
});

describe("the bytes of an unread member", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });

  test.each([true, false])("are a copy (PBL-6), with Buffer: %s", async (hasBuffer) => {
    if (!hasBuffer) vi.stubGlobal("Buffer", undefined);
    vi.resetModules();
    const samples = await import("./samples.ts");
    const value = "é\u0000ÿ".repeat(30_000);
    const bytes = samples.list("v1/ConfigMap", [configMap("a", "key", value)]);
    const [object] = samples.decodeList(bytes);
    bytes.fill(0xff);
    expect(object).toHaveProperty("data", { key: value });
  });
});

describe("strings in protobuf", () => {
  test("are not mixed up when there are more than are remembered (PBL-7)", () => {
    // Same beginnings, middles, ends and lengths, which determine the slot.
    const texts = Array.from({ length: 20_000 }, (_, index) => {
      const number = String(index).padStart(8, "0");
      return `a${number.slice(0, 4)}bbbbb${number.slice(4)}c`;
    });
    const items = texts.map((text) => configMap(text, text, text));
    const objects = decodeList(list("v1/ConfigMap", items), undefined, 1000);
    expect(objects).toHaveLength(texts.length);
    for (const [index, object] of objects.entries()) {
      const text = texts[index] ?? "";
      expect(object).toMatchObject({ metadata: { name: text }, data: { [text]: text } });
    }
  });

  test.each([0, 1, 12, 13, 63, 64, 65, 66, 1000])(
    "of %d bytes are decoded, ASCII or not (PBL-7)",
    (length) => {
      for (const text of ["x".repeat(length), "é".repeat(length / 2), "\u007f".repeat(length)]) {
        const object = objectOf("v1/ConfigMap", configMap("a", `key-${text}`, text));
        expect(object).toHaveProperty(["data", `key-${text}`], text);
      }
    },
  );
});

describe("JSON and large numbers in protobuf", () => {
  test("fieldsV1 and raw objects are parsed when they are read (PBL-12)", () => {
    const data = '{"spec":{"replicas":3,"note":"é"}}';
    const revision = joined([
      delimited(1, delimited(1, "a")),
      delimited(2, delimited(1, data)),
      numeric(3, 7),
    ]);
    const object = objectOf("apps/v1/ControllerRevision", revision);
    expect(object).toMatchObject({ data: JSON.parse(data) as object, revision: 7 });
  });

  test("invalid JSON is reported when it is read (PBL-12)", () => {
    const revision = joined([
      delimited(1, joined([delimited(1, "a"), delimited(3, "default")])),
      delimited(2, delimited(1, "{no}")),
      numeric(3, 7),
    ]);
    const object = objectOf("apps/v1/ControllerRevision", revision);
    expect(() => Reflect.get(object, "data") as unknown).toThrow(/data of "default\/a"/);
  });

  test.each([
    ["9007199254740991", 2n ** 53n - 1n],
    ["9223372036854775807", 2n ** 63n - 1n],
    ["-1", 2n ** 64n - 1n],
    ["-9223372036854775808", 2n ** 63n],
  ])("%s is decoded like JSON.parse does (PBL-12)", (text, pattern) => {
    const bytes: number[] = [7 * 8];
    for (let rest = pattern; ; rest >>= 7n) {
      bytes.push(Number(rest & 127n) + (rest > 127n ? 128 : 0));
      if (rest <= 127n) break;
    }
    const metadata = joined([delimited(1, "a"), Uint8Array.from(bytes)]);
    const object = objectOf("v1/ConfigMap", delimited(1, metadata));
    expect(object).toHaveProperty("metadata.generation", JSON.parse(text));
  });
});
