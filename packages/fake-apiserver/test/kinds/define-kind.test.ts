import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { describe, expect, test } from "vitest";
import { defineKind, type KindHost } from "../../src/kinds/define-kind.ts";

const host: KindHost = {
  clock: new SimulatedClock(),
  podDeletion: "instant",
  namespaceDeletion: "instant",
  validation: "full",
  services: { ranges: ["10.0.0.0/24"], nodePorts: { first: 30_000, last: 32_767 } },
  objectsOf: () => [],
  labelsOf: () => ({}),
  deleteObject: () => {},
  terminateNamespace: () => {},
  customResourceDefinitions: {},
};

describe("a kind", () => {
  test("is namespaced, in the core group, with a regular plural and an age column by default", () => {
    const { definition } = defineKind({ version: "v1", kind: "Gadget" });
    expect(definition).toMatchObject({
      group: "",
      plural: "gadgets",
      singular: "gadget",
      listKind: "GadgetList",
      namespaced: true,
      storageVersion: "v1",
    });
    expect(definition.versions[0]?.columns.map(({ name }) => name)).toEqual(["Name", "Created At"]);
  });

  test("turns defaults and validation into the strategy of its writes", () => {
    const error = { reason: "FieldValueInvalid", field: "spec", message: "no" } as const;
    const gadget = defineKind({
      version: "v1",
      kind: "Gadget",
      defaults: (object) => ({ ...object, spec: { replicas: 1 } }),
      rules: { create: () => [error], update: () => [], status: () => [error] },
      strategy: () => ({ keepsStatusOnCreate: true }),
    });
    const [served] = gadget.definition.versions;
    const rules = gadget.strategy(host);
    const object = { metadata: { name: "a" } };
    expect(rules.conform?.(object, served)).toEqual({
      object: { metadata: { name: "a" }, spec: { replicas: 1 } },
      unknown: [],
    });
    expect(rules.validateCreate?.(object, served!)).toEqual([error]);
    expect(rules.validateUpdate?.(object, object, served!)).toEqual([]);
    expect(rules.validateStatus?.(object, object, served!)).toEqual([error]);
    expect(rules.keepsStatusOnCreate).toBe(true);
  });

  test("is not validated by its rules on a server without validation", () => {
    const rules = { create: () => [], update: () => [], warnings: () => ["careful"] };
    const gadget = defineKind({ version: "v1", kind: "Gadget", rules });
    const strategy = gadget.strategy({ ...host, validation: "off" });
    expect(Object.keys(strategy)).toEqual(["decoder", "warnings"]);
    const object = { metadata: { name: "a" } };
    expect(strategy.warnings?.(object, undefined)).toEqual(["careful"]);
  });

  test("does not change writes when it defines nothing special", () => {
    const rules = defineKind({ version: "v1", kind: "Gadget" }).strategy(host);
    expect(Object.keys(rules)).toEqual(["decoder", "loadChecks", "checkDeclared"]);
  });
});
