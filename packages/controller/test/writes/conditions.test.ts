import {
  conditionOf,
  isConditionTrue,
  setCondition,
  type writeStatus,
  type StatusCondition,
} from "@listwatch/controller";
import type { KubernetesObject } from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { describe, expect, expectTypeOf, test } from "vitest";

const then = "2025-01-01T00:00:00Z";
const now = "2026-01-01T00:00:01Z";
// With a fraction of a second, which times of the API do not have.
const clock = new SimulatedClock({ startMs: Date.UTC(2026, 0, 1, 0, 0, 1, 234) });

const other = {
  type: "Synced",
  status: "True",
  reason: "Done",
  message: "",
  lastTransitionTime: then,
};
const ready = { type: "Ready", status: "True", reason: "Deployed", message: "it works" };
const isReady = { ...ready, lastTransitionTime: then };

/** The generated type of custom resources: mutable, with all that the schema requires. */
interface Condition {
  type: string;
  status: string;
  reason: string;
  message: string;
  lastTransitionTime: string;
  observedGeneration?: number | undefined;
}

/** The generated type of a built-in kind, where more is optional. */
interface DeploymentCondition {
  type: string;
  status: string;
  lastUpdateTime?: string | undefined;
  lastTransitionTime?: string | undefined;
}

describe("setCondition follows meta.SetStatusCondition", () => {
  test.each<[string, StatusCondition[] | null | undefined, StatusCondition, StatusCondition[]]>([
    ["no conditions", undefined, ready, [{ ...ready, lastTransitionTime: now }]],
    ["null", null, ready, [{ ...ready, lastTransitionTime: now }]],
    ["a new type is appended", [other], ready, [other, { ...ready, lastTransitionTime: now }]],
    [
      "another status, at its position",
      [isReady, other],
      { ...ready, status: "False" },
      [{ ...ready, status: "False", lastTransitionTime: now }, other],
    ],
    [
      "another reason and message",
      [other, isReady],
      { ...ready, reason: "Updated", message: "it works again" },
      [other, { ...isReady, reason: "Updated", message: "it works again" }],
    ],
    [
      "another generation",
      [{ ...isReady, observedGeneration: 1 }],
      { ...ready, observedGeneration: 2 },
      [{ ...isReady, observedGeneration: 2 }],
    ],
    ["no generation any more", [{ ...isReady, observedGeneration: 1 }], ready, [isReady]],
    [
      "no message any more",
      [isReady],
      { type: "Ready", status: "True", reason: "Deployed" },
      [{ type: "Ready", status: "True", reason: "Deployed", lastTransitionTime: then }],
    ],
    [
      "a given time of a change",
      [isReady],
      { ...ready, status: "False", lastTransitionTime: "2025-06-01T00:00:00Z" },
      [{ ...ready, status: "False", lastTransitionTime: "2025-06-01T00:00:00Z" }],
    ],
    [
      "a given time without a change",
      [isReady],
      { ...ready, reason: "Updated", lastTransitionTime: now },
      [{ ...isReady, reason: "Updated" }],
    ],
    [
      "members that it does not know",
      [{ ...isReady, lastUpdateTime: then } as StatusCondition],
      { ...ready, status: "Unknown" },
      [
        {
          ...ready,
          status: "Unknown",
          lastTransitionTime: now,
          lastUpdateTime: then,
        } as StatusCondition,
      ],
    ],
  ])("%s", (_, conditions, condition, expected) => {
    const before = structuredClone(conditions);
    expect(setCondition(conditions, condition, { clock })).toStrictEqual(expected);
    expect(conditions).toStrictEqual(before);
  });

  test("returns the same array if nothing differs, frozen or not", () => {
    const conditions = Object.freeze([Object.freeze(other), Object.freeze(isReady)]);
    expect(setCondition(conditions, ready, { clock })).toBe(conditions);
    expect(setCondition(conditions, { ...ready, observedGeneration: undefined })).toBe(conditions);
    expect(setCondition(conditions, { ...ready, status: "False" }, { clock })[0]).toBe(other);
  });

  test("works on the types of Kubernetes and of custom resources", () => {
    interface Widget extends KubernetesObject {
      readonly status?: { readonly conditions?: Condition[] | undefined } | undefined;
    }
    const widget = {} as Widget;
    const deployment: { status?: { conditions?: DeploymentCondition[] | undefined } | undefined } =
      {};
    const written = () => [
      setCondition(widget.status?.conditions, ready),
      setCondition(deployment.status?.conditions, { type: "Available", status: "True" }),
      // @ts-expect-error -- the type requires a reason and a message
      setCondition(widget.status?.conditions, { type: "Ready", status: "True" }),
    ];
    expectTypeOf(written).toBeFunction();
    expectTypeOf(setCondition([], ready)).toEqualTypeOf<readonly StatusCondition[]>();
    expectTypeOf(conditionOf(widget, "Ready")).toEqualTypeOf<Condition | undefined>();
    expectTypeOf(conditionOf(deployment, "Available")?.lastUpdateTime).toEqualTypeOf<
      string | undefined
    >();
    type Write = typeof writeStatus<Widget>;
    const compute: Parameters<Write>[2] = ({ status }) => ({
      conditions: setCondition(status?.conditions, ready),
    });
    expectTypeOf(compute).toBeFunction();
  });
});

describe("conditionOf and isConditionTrue", () => {
  const object = { status: { conditions: [other, isReady, { type: "Failed", status: "False" }] } };

  test("read an object, or a list of conditions", () => {
    expect(conditionOf(object, "Ready")).toBe(isReady);
    expect(conditionOf(object.status.conditions, "Ready")).toBe(isReady);
    expect(isConditionTrue(object.status.conditions, "Ready")).toBe(true);
    expect(conditionOf(object, "Unknown")).toBeUndefined();
    expect(["Ready", "Failed", "Unknown"].map((type) => isConditionTrue(object, type))).toEqual([
      true,
      false,
      false,
    ]);
  });

  test.each([
    [undefined],
    [null],
    [{}],
    [{ status: {} }],
    [{ status: { conditions: {} } }],
    [[null]],
  ])("find nothing in %j", (nothing) => {
    expect(conditionOf(nothing, "Ready")).toBeUndefined();
    expect(isConditionTrue(nothing, "Ready")).toBe(false);
  });
});
