import {
  V1ConfigMap,
  V1Lease,
  V1ListMeta,
  V1MicroTime,
  V1NetworkPolicyIngressRule,
  type V1CustomResourceDefinition,
  type V1NetworkPolicy,
  type V1Pod,
  type V1PodList,
} from "@kubernetes/client-node";
import * as k8s from "@kubernetes/client-node";
import { toWire, type Wire } from "@listwatch/client-node";
import { describe, expect, expectTypeOf, test } from "vitest";
import { itemToWire } from "../../src/wire/to-wire.ts";
import { revive } from "../../src/wire/revive.ts";

const time = new Date("2026-01-02T03:04:05Z");

describe("toWire", () => {
  test("writes times in whole seconds, and micro times with six decimals (MKI-3)", () => {
    const lease = new V1Lease();
    lease.metadata = { name: "a", creationTimestamp: time };
    lease.spec = { renewTime: new V1MicroTime("2026-01-02T03:04:05.678Z") };
    expect(toWire(lease)).toEqual({
      metadata: { name: "a", creationTimestamp: "2026-01-02T03:04:05Z" },
      spec: { renewTime: "2026-01-02T03:04:05.678000Z" },
    });
    expect(toWire(new Date(Number.NaN))).toBeNull();
  });

  test("renames members to those of the API (MKI-3)", () => {
    const meta = Object.assign(new V1ListMeta(), { _continue: "token", resourceVersion: "7" });
    expect(toWire(meta)).toEqual({ continue: "token", resourceVersion: "7" });
    const from = { _from: [{ podSelector: {} }] };
    const rule = Object.assign(new V1NetworkPolicyIngressRule(), from);
    expect(toWire(rule)).toEqual({ from: [{ podSelector: {} }] });
    const schema = new k8s.V1JSONSchemaProps();
    schema.ref = "#/x";
    schema.x_kubernetes_preserve_unknown_fields = true;
    expect(toWire(schema)).toEqual({
      $ref: "#/x",
      "x-kubernetes-preserve-unknown-fields": true,
    });
  });

  test("omits undefined members, keeps null and plain JSON, and does not change its argument (MKI-3)", () => {
    const map = new V1ConfigMap();
    map.data = { _continue: "kept", x: "1" };
    expect(toWire(map)).toEqual({ data: { _continue: "kept", x: "1" } });
    expect(map).toBeInstanceOf(V1ConfigMap);
    const plain = { a: [1, null, { b: "x" }], c: false, d: undefined };
    expect(toWire(plain)).toEqual({ a: [1, null, { b: "x" }], c: false });
    for (const each of ["x", 1, true, null, undefined]) expect(toWire(each)).toBe(each);
  });

  test("an item gets the kind of its list, unless it has its own (MKI-3)", () => {
    const type = { apiVersion: "v1", kind: "PodList" };
    expect(itemToWire({ metadata: {} }, type)).toEqual({
      apiVersion: "v1",
      kind: "Pod",
      metadata: {},
    });
    expect(itemToWire({ kind: "Node" }, type)).toEqual({ apiVersion: "v1", kind: "Node" });
    expect(itemToWire({}, {})).toEqual({});
    expect(() => itemToWire(null, type)).toThrow(/expected each item of the list to be an object/);
  });
});

describe("revive", () => {
  test("reverses toWire at every depth", () => {
    const pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "a", creationTimestamp: "2026-01-02T03:04:05Z", labels: { x: "y" } },
      spec: { containers: [{ name: "c", image: "i", ports: [{ containerPort: 80 }] }] },
      status: { startTime: "2026-01-02T03:04:05Z" },
    };
    const revived = revive(pod, k8s) as V1Pod;
    expect(revived).toBeInstanceOf(k8s.V1Pod);
    expect(revived.metadata).toBeInstanceOf(k8s.V1ObjectMeta);
    expect(revived.metadata?.creationTimestamp).toEqual(time);
    expect(revived.status?.startTime).toEqual(time);
    expect(revived.spec?.containers[0]).toBeInstanceOf(k8s.V1Container);
    expect(toWire(revived)).toEqual(pod);
  });

  test("converts micro times, both Event kinds, and the metadata of kinds without a class", () => {
    const spec = { renewTime: "2026-01-02T03:04:05.678000Z" };
    const lease = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: {}, spec };
    const revived = revive(lease, k8s) as V1Lease;
    expect(revived.spec?.renewTime).toBeInstanceOf(V1MicroTime);
    expect(toWire(revived)).toEqual(lease);
    const event = (apiVersion: string): unknown => revive({ apiVersion, kind: "Event" }, k8s);
    expect(event("v1")).toBeInstanceOf(k8s.CoreV1Event);
    expect(event("events.k8s.io/v1")).toBeInstanceOf(k8s.EventsV1Event);
    const widget = {
      apiVersion: "example.com/v1",
      kind: "Widget",
      metadata: { creationTimestamp: "2026-01-02T03:04:05Z" },
      spec: { at: "2026-01-02T03:04:05Z" },
    };
    expect(revive(widget as object, k8s)).toMatchObject({
      metadata: { creationTimestamp: time },
      spec: { at: "2026-01-02T03:04:05Z" },
    });
  });
});

test("Wire is the type of an object on the wire (MKI-3)", () => {
  type Meta = NonNullable<Wire<V1Pod>["metadata"]>;
  expectTypeOf<Meta["creationTimestamp"]>().toEqualTypeOf<string | undefined>();
  expectTypeOf<NonNullable<Wire<V1PodList>["metadata"]>["continue"]>().toEqualTypeOf<
    string | undefined
  >();
  type Ingress = NonNullable<NonNullable<Wire<V1NetworkPolicy>["spec"]>["ingress"]>[number];
  expectTypeOf<Ingress>().toHaveProperty("from");
  type Version = Wire<V1CustomResourceDefinition>["spec"]["versions"][number];
  type Schema = NonNullable<NonNullable<Version["schema"]>["openAPIV3Schema"]>;
  expectTypeOf<Schema["x-kubernetes-preserve-unknown-fields"]>().toEqualTypeOf<
    boolean | undefined
  >();
});
