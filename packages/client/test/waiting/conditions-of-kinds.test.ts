import {
  allOf,
  anyOf,
  hasCondition,
  hasLoadBalancer,
  isDeleted,
  isEstablished,
  isJobFinished,
  isPodReady,
  isPodRunning,
  isReady,
  not,
  waitFor,
  type Condition,
  type ResourceClient,
} from "@listwatch/client";
import { describe, expect, expectTypeOf, test } from "vitest";
import { failureOf } from "../support/answering.ts";

interface Pod {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly nodeName: string };
}

const condition = (type: string, status: string) => ({
  status: { conditions: [{ type, status }] },
});
const pod = (phase: string, ready: string) => ({
  status: { phase, conditions: [{ type: "Ready", status: ready }] },
});
const points = (...ingress: object[]) => ({ status: { loadBalancer: { ingress } } });

/** Whether a condition holds, waits, or the reason why it cannot hold. */
function outcome(tested: Condition, object: unknown): unknown {
  return tested(object) ? "holds" : (tested.failure?.(object) ?? "waits");
}

describe("conditions of kinds", () => {
  test.each<[string, Condition, unknown, string]>([
    ["isPodRunning: Running", isPodRunning, pod("Running", "False"), "holds"],
    ["isPodRunning: Pending", isPodRunning, pod("Pending", "False"), "waits"],
    [
      "isPodRunning: Succeeded",
      isPodRunning,
      pod("Succeeded", "False"),
      "it has ended (Succeeded)",
    ],
    ["isPodRunning: no pod", isPodRunning, undefined, "waits"],
    ["isPodReady: Running and ready", isPodReady, pod("Running", "True"), "holds"],
    ["isPodReady: Running", isPodReady, pod("Running", "False"), "waits"],
    ["isPodReady: ready while Pending", isPodReady, pod("Pending", "True"), "waits"],
    ["isPodReady: Failed", isPodReady, pod("Failed", "False"), "it has ended (Failed)"],
    ["isReady: Failed", isReady, pod("Failed", "False"), "waits"],
    ["isJobFinished: Complete", isJobFinished, condition("Complete", "True"), "holds"],
    ["isJobFinished: Failed", isJobFinished, condition("Failed", "True"), "holds"],
    ["isJobFinished: not failed", isJobFinished, condition("Failed", "False"), "waits"],
    ["isJobFinished: suspended", isJobFinished, condition("Suspended", "True"), "waits"],
    ["hasLoadBalancer: address", hasLoadBalancer, points({ ip: "192.0.2.1" }), "holds"],
    ["hasLoadBalancer: name", hasLoadBalancer, points({ hostname: "lb.example" }), "holds"],
    ["hasLoadBalancer: ports only", hasLoadBalancer, points({ ports: [] }), "waits"],
    ["hasLoadBalancer: one of two", hasLoadBalancer, points({ ip: "192.0.2.1" }, {}), "waits"],
    ["hasLoadBalancer: none", hasLoadBalancer, points(), "waits"],
    ["hasLoadBalancer: pending", hasLoadBalancer, { spec: { type: "LoadBalancer" } }, "waits"],
    [
      "hasLoadBalancer: another type",
      hasLoadBalancer,
      { spec: { type: "ClusterIP" }, status: { loadBalancer: {} } },
      "its type is ClusterIP, expected LoadBalancer",
    ],
    ["isEstablished: True", isEstablished, condition("Established", "True"), "holds"],
    ["isEstablished: False", isEstablished, condition("Established", "False"), "waits"],
    ["isDeleted: no object", isDeleted, undefined, "holds"],
    ["isDeleted: an object", isDeleted, pod("Running", "True"), "waits"],
  ])("%s", (_, tested, object, expected) => {
    expect(outcome(tested, object)).toBe(expected);
  });
});

describe("allOf, anyOf and not", () => {
  const onNode = (object: Pod | undefined): boolean => object?.spec.nodeName === "n1";

  test.each<[string, Condition, string]>([
    ["allOf of two that hold", allOf(isPodRunning, not(isReady)), "holds"],
    ["allOf of one that holds", allOf(isPodRunning, isReady), "waits"],
    ["allOf with one that cannot hold", allOf(isReady, isEnded), "it has ended"],
    ["anyOf of one that holds", anyOf(isReady, isPodRunning), "holds"],
    ["anyOf of none", anyOf(isReady, isDeleted), "waits"],
    ["anyOf with one that cannot hold", anyOf(isEnded, isReady), "waits"],
    ["anyOf of those that cannot hold", anyOf(isEnded, isEnded), "it has ended, and it has ended"],
    ["anyOf with one that holds and one that cannot", anyOf(isEnded, isPodRunning), "holds"],
    ["not of one that cannot hold", not(isEnded), "holds"],
    ["not of one that holds", not(isPodRunning), "waits"],
    ["not twice", not(not(isPodRunning)), "holds"],
  ])("%s", (_, tested, expected) => {
    expect(outcome(tested, pod("Running", "False"))).toBe(expected);
  });

  test("describe themselves in errors", () => {
    expect(allOf(isReady, not(isPodRunning)).description).toBe("ready and not running");
    expect(anyOf(isReady, hasCondition("Failed"), onNode).description).toBe(
      "ready or Failed=True or as a condition wants it",
    );
  });

  test("throw for an asynchronous condition, which would hold for every object", () => {
    // An untyped condition may be asynchronous.
    const asynchronous = (async () => false) as unknown as () => boolean;
    for (const tested of [allOf(asynchronous), anyOf(asynchronous), not(asynchronous)]) {
      expect(() => tested(undefined)).toThrow("must not be asynchronous");
    }
  });

  test("have the type of the object", () => {
    expectTypeOf(allOf(isReady, onNode)).toExtend<Condition<Pod>>();
    expectTypeOf(not(onNode)).toEqualTypeOf<Condition<Pod>>();
    expectTypeOf(anyOf<Pod>(isReady, (object) => object?.spec.nodeName === "n1")).toEqualTypeOf<
      Condition<Pod>
    >();
  });

  test("know the object in a function within a wait", () => {
    const wait = (source: ResourceClient<Pod>) => [
      waitFor(
        source,
        "default/a",
        allOf(isReady, (object) => object?.spec.nodeName === "n1"),
      ),
      waitFor(
        source,
        "default/a",
        anyOf(isDeleted, (object) => object?.spec.nodeName === "n1"),
      ),
      waitFor(source, "default/a", allOf(isReady, onNode)),
    ];
    expectTypeOf(wait).returns.toEqualTypeOf<Promise<Pod | undefined>[]>();
  });

  test("end a wait over an informer", async () => {
    async function* events() {
      yield { type: "add", key: "default/a", object: pod("Pending", "False") };
      yield { type: "update", key: "default/a", object: pod("Failed", "False") };
    }
    const informer = {
      synced: Promise.resolve(),
      store: { getByKey: () => pod("Pending", "False") },
      events,
    };
    const tested = allOf(isPodReady, not(isDeleted));
    expect(String(await failureOf(waitFor(informer, "default/a", tested)))).toContain(
      "default/a is not running and ready and not deleted: it has ended (Failed)",
    );
    expect(await waitFor(informer, "default/a", anyOf(isDeleted, not(isPodRunning)))).toEqual(
      pod("Pending", "False"),
    );
  });
});

/** A condition that cannot hold any more. */
function isEnded(): boolean {
  return false;
}
isEnded.failure = () => "it has ended";
