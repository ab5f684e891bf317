import { describe, expect, test } from "vitest";
import { DecodeError, LazyTextError, NetworkError } from "@listwatch/client";
import {
  decodeList,
  decodeWatch,
  delimited,
  envelope,
  frame,
  joined,
  list,
  numeric,
  protobufDecoder,
} from "./samples.ts";

const text = new TextEncoder();

function metadataOf(name: string, more: Uint8Array = new Uint8Array()): Uint8Array {
  const time = delimited(8, numeric(1, 1_700_000_000));
  const label = delimited(11, joined([delimited(1, "app"), delimited(2, name)]));
  const texts = [delimited(1, name), delimited(3, "default"), delimited(5, `u-${name}`)];
  return delimited(1, joined([...texts, delimited(6, "12"), time, label, more]));
}

const metadata = {
  name: "a",
  namespace: "default",
  uid: "u-a",
  resourceVersion: "12",
  creationTimestamp: "2023-11-14T22:13:20Z",
  labels: { app: "a" },
};

function configMap(name: string, value = "text", more?: Uint8Array): Uint8Array {
  const entry = joined([delimited(1, "key"), delimited(2, value)]);
  return joined([metadataOf(name, more), delimited(2, entry)]);
}

describe("a list in protobuf", () => {
  const names = ["a", "é", "c".repeat(70)];
  const bytes = list(
    "v1/ConfigMap",
    names.map((name) => configMap(name)),
  );

  test.each([1, 2, 3, 7, 64, 1000])("is read in pieces of %d bytes (PBL-8)", (size) => {
    const items = decodeList(bytes, protobufDecoder(), size);
    expect(items.map((item) => structuredClone({ ...item }))).toEqual(
      names.map((name) => ({
        kind: "ConfigMap",
        apiVersion: "v1",
        metadata: { ...metadata, name, uid: `u-${name}`, labels: { app: name } },
        data: { key: "text" },
      })),
    );
  });

  test("has its version, its token and the number of remaining objects", () => {
    const meta = joined([delimited(2, "7"), delimited(3, "next"), numeric(4, 300)]);
    const shard = delimited(5, delimited(1, "shardRange()"));
    const decoder = protobufDecoder().list();
    decoder.write(list("v1/ConfigMap", [], joined([meta, shard])), []);
    decoder.end([]);
    expect(decoder).toMatchObject({
      apiVersion: "v1",
      kind: "ConfigMapList",
      metadata: {
        resourceVersion: "7",
        continue: "next",
        remainingItemCount: 300,
        shardInfo: { selector: "shardRange()" },
      },
    });
  });

  test("returns the objects before an error", () => {
    const cut = list("v1/ConfigMap", [configMap("a"), Uint8Array.of(0x0a, 0x7f)]);
    const items: object[] = [];
    expect(() => protobufDecoder().list().write(cut, items)).toThrow(DecodeError);
    expect(items).toHaveLength(1);
  });

  test.each([0, 3, 20, 30, bytes.length - 1])("fails when it ends after %d bytes", (length) => {
    expect(() => decodeList(bytes.slice(0, length))).toThrow(NetworkError);
  });

  test("fails for an item that is longer than the list", () => {
    const long = Uint8Array.from(list("v1/ConfigMap", [configMap("a")]));
    // The length of the item, which follows that of the list and its metadata.
    const item = long.length - configMap("a").length - 4 - 1;
    long[item] = 127;
    expect(() => decodeList(joined([long, long]))).toThrow(/length within its message/);
  });

  test("fails for a single object", () => {
    expect(() => decodeList(envelope("v1/ConfigMap", configMap("a")))).toThrow(
      expect.objectContaining({ code: "LW_NOT_A_LIST" }),
    );
  });

  test("of an unknown kind fails with its name and advice", () => {
    const unknown = list("example.com/v1/Widget", [configMap("a")]);
    expect(() => decodeList(unknown)).toThrow(/ask for JSON.*example\.com\/v1\/WidgetList/);
  });

  test("fails for the HTML page of a proxy", () => {
    expect(() => decodeList(text.encode("<html>no</html>"))).toThrow(
      /expected Kubernetes' protobuf, in protobuf, got "<html>/,
    );
  });

  test("does not decode an object that is held in the same state (PBL-13)", () => {
    const held = { metadata };
    const items: object[] = [];
    const asked: unknown[] = [];
    const reuse = (identity: { readonly name: string }): object | undefined => {
      asked.push(identity);
      return identity.name === "a" ? held : undefined;
    };
    protobufDecoder().list<object>({ reuse }).write(bytes, items);
    expect(items[0]).toBe(held);
    expect(items[1]).not.toBe(held);
    expect(asked[0]).toEqual({
      name: "a",
      namespace: "default",
      uid: "u-a",
      resourceVersion: "12",
    });
  });

  test("keeps the selected fields, and returns held objects (PROJ-9)", () => {
    const held = { metadata };
    const decoder = protobufDecoder({ fields: ["metadata.labels"] });
    const items: object[] = [];
    const reuse = ({ name }: { readonly name: string }): object | undefined =>
      name === "a" ? held : undefined;
    decoder.list<object>({ reuse }).write(bytes, items);
    expect(items[0]).toBe(held);
    expect(items.slice(1)).toEqual(
      names.slice(1).map((name) => ({
        kind: "ConfigMap",
        apiVersion: "v1",
        metadata: {
          name,
          namespace: "default",
          uid: `u-${name}`,
          resourceVersion: "12",
          labels: { app: name },
        },
      })),
    );
  });

  test.each([
    ["a message that is cut", delimited(1, Uint8Array.of(0x0a, 0x7f))],
    ["a length beyond the end", Uint8Array.of(0x12, 0x7f, 0x00)],
    ["another wire type", numeric(2, 1)],
    ["a number without an end", Uint8Array.of(0x10, 0xff)],
  ])("fails with %s also where fields are selected (PBL-8)", (_, message) => {
    const decoder = protobufDecoder({ fields: ["metadata.labels", "data"] });
    expect(() => decodeList(list("v1/ConfigMap", [message]), decoder)).toThrow(DecodeError);
  });

  test("has the object size limit of the JSON decoder", () => {
    const large = list("v1/ConfigMap", [configMap("a", "x".repeat(17 * 2 ** 20))]);
    expect(() => decodeList(large)).toThrow(/maxObjectBytes/);
  });
});

describe("a watch in protobuf", () => {
  const bytes = joined([
    frame("ADDED", "v1/ConfigMap", configMap("a")),
    frame("MODIFIED", "v1/ConfigMap", configMap("a", "other")),
    frame("BOOKMARK", "v1/ConfigMap", delimited(1, delimited(6, "13"))),
    frame("DELETED", "v1/ConfigMap", configMap("a", "other")),
  ]);

  test.each([1, 2, 5, 100, 1000])("is read in pieces of %d bytes (PBL-9)", (size) => {
    const events = decodeWatch(bytes, protobufDecoder(), size);
    expect(events.map(({ type, object }) => ({ type, object: { ...(object as object) } }))).toEqual(
      [
        ["ADDED", "text"],
        ["MODIFIED", "other"],
        ["BOOKMARK", undefined],
        ["DELETED", "other"],
      ].map(([type, value]) => ({
        type,
        object: {
          kind: "ConfigMap",
          apiVersion: "v1",
          metadata: value === undefined ? { resourceVersion: "13" } : metadata,
          ...(value === undefined ? {} : { data: { key: value } }),
        },
      })),
    );
  });

  test("has complete bookmarks where fields are selected (PROJ-7)", () => {
    const end = joined([delimited(1, "k8s.io/initial-events-end"), delimited(2, "true")]);
    const meta = joined([delimited(6, "13"), delimited(12, end)]);
    const frames = [
      frame("ADDED", "v1/ConfigMap", configMap("a")),
      frame("BOOKMARK", "v1/ConfigMap", delimited(1, meta)),
    ];
    const events = decodeWatch(joined(frames), protobufDecoder({ fields: ["data"] }), 3);
    const { name, namespace, uid, resourceVersion } = metadata;
    const kept = { name, namespace, uid, resourceVersion };
    expect(events).toEqual([
      {
        type: "ADDED",
        object: { kind: "ConfigMap", apiVersion: "v1", metadata: kept, data: { key: "text" } },
      },
      {
        type: "BOOKMARK",
        object: {
          kind: "ConfigMap",
          apiVersion: "v1",
          metadata: {
            resourceVersion: "13",
            annotations: { "k8s.io/initial-events-end": "true" },
          },
        },
      },
    ]);
  });

  test("drops a cut event", () => {
    expect(decodeWatch(bytes.slice(0, -1))).toHaveLength(3);
  });

  test("looks up held objects until the first bookmark", () => {
    const asked: string[] = [];
    const watch = protobufDecoder().watch<object>({
      reuse: ({ name }) => void asked.push(name),
    });
    watch.write(joined([bytes, bytes]), []);
    expect(asked).toEqual(["a"]);
  });

  test("ends with a Status (PBL-10)", () => {
    const cause = joined([delimited(1, "Why"), delimited(2, "because"), delimited(3, "spec")]);
    const details = joined([
      delimited(1, "a"),
      delimited(3, "pods"),
      delimited(4, cause),
      numeric(5, 3),
    ]);
    const status = joined([
      delimited(1, delimited(3, "token")),
      delimited(2, "Failure"),
      delimited(3, "too old"),
      delimited(4, "Expired"),
      delimited(5, details),
      numeric(6, 410),
    ]);
    expect(decodeWatch(frame("ERROR", "v1/Status", status))).toEqual([
      {
        type: "ERROR",
        object: {
          kind: "Status",
          apiVersion: "v1",
          metadata: { continue: "token" },
          status: "Failure",
          message: "too old",
          reason: "Expired",
          details: {
            name: "a",
            kind: "pods",
            causes: [{ reason: "Why", message: "because", field: "spec" }],
            retryAfterSeconds: 3,
          },
          code: 410,
        },
      },
    ]);
  });

  test("rejects unknown event types", () => {
    expect(() => decodeWatch(frame("PAUSED", "v1/ConfigMap", configMap("a")))).toThrow(/PAUSED/);
    expect(() => decodeWatch(frame("ADDED", "v1/Status", delimited(2, "Failure")))).toThrow(
      /got a Status/,
    );
  });

  test("rejects an event above the limit", () => {
    const head = Uint8Array.of(0x7f, 0, 0, 0);
    expect(() => decodeWatch(head)).toThrow(/maxObjectBytes/);
  });
});

describe("an object in protobuf", () => {
  test("merges a member that occurs twice, and keeps managedFields (PBL-5)", () => {
    const [first, second] = ["x", "y"].map((key) =>
      delimited(2, joined([delimited(1, key), delimited(2, key)])),
    );
    const managed = delimited(17, delimited(1, "me"));
    const bytes = joined([
      first ?? text.encode(""),
      metadataOf("a", managed),
      second ?? text.encode(""),
    ]);
    const whole = {
      data: { x: "x", y: "y" },
      metadata: { ...metadata, managedFields: [{ manager: "me" }] },
    };
    const [kept, stripped] = [false, true].map((stripManagedFields) =>
      decodeWatch(frame("ADDED", "v1/ConfigMap", bytes), protobufDecoder({ stripManagedFields })),
    );
    expect(kept?.[0]?.object).toMatchObject(whole);
    expect(stripped?.[0]?.object).toMatchObject({ metadata, data: whole.data });
    expect(stripped?.[0]?.object).not.toHaveProperty("metadata.managedFields");
  });

  test("omits managedFields on request", () => {
    const managed = delimited(17, delimited(1, "me"));
    const bytes = frame("ADDED", "v1/ConfigMap", configMap("a", "text", managed));
    const [event] = decodeWatch(bytes, protobufDecoder({ stripManagedFields: true }));
    expect(event?.object).toHaveProperty("metadata", metadata);
  });

  test("throws when an unreadable member is read, and fails the next watch (PBL-8)", () => {
    const decoder = protobufDecoder();
    const broken = joined([metadataOf("a"), delimited(2, Uint8Array.of(0x0a, 0x7f, 0x61))]);
    const [event] = decodeWatch(frame("ADDED", "v1/ConfigMap", broken), decoder);
    const read = (): unknown => Reflect.get(Object(event?.object) as object, "data");
    expect(read).toThrow(LazyTextError);
    expect(read).toThrow(/Cannot read data of "default\/a": expected protobuf: a length/);
    expect(() => decoder.watch().write(new Uint8Array(), [])).toThrow(LazyTextError);
  });

  test("reads packed numbers", () => {
    const context = delimited(14, delimited(4, Uint8Array.of(1, 2, 0x96, 1)));
    const [event] = decodeWatch(
      frame("ADDED", "v1/Pod", joined([metadataOf("a"), delimited(2, context)])),
    );
    expect(event?.object).toHaveProperty("spec.securityContext.supplementalGroups", [1, 2, 150]);
  });

  test("rejects a field of another wire type", () => {
    const bytes = frame(
      "ADDED",
      "v1/ConfigMap",
      joined([metadataOf("a"), numeric(4, 1), numeric(2, 1)]),
    );
    expect(() => decodeWatch(bytes)).toThrow(/another wire type than 0 for the field 2/);
  });

  test("can be frozen, changed and copied like other objects (PBL-1)", () => {
    const [event] = decodeWatch(frame("ADDED", "v1/ConfigMap", configMap("a")));
    const object = Object(event?.object) as Record<string, unknown>;
    expect(Object.keys(object)).toEqual(["metadata", "kind", "apiVersion", "data"]);
    object["data"] = { key: "mine" };
    expect(JSON.parse(JSON.stringify(object))).toHaveProperty("data", { key: "mine" });
  });
});
