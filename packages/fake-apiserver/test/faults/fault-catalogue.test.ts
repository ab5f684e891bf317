import { describe, expect, test } from "vitest";
import { ControlInputError } from "@listwatch/fake-apiserver";
import { illegalFaults, legalFaults } from "../../src/faults/actions/fault-catalogue.ts";
import { answerFaults } from "../../src/faults/actions/answer-faults.ts";
import { bodyFaults } from "../../src/faults/actions/body-faults.ts";
import { watchFaults } from "../../src/faults/actions/illegal-faults.ts";
import { JsonReader } from "../../src/faults/inputs/json-reader.ts";

const legal = { ...answerFaults, ...bodyFaults };

describe("the lists of faults", () => {
  test("name each fault after the type of its action", () => {
    for (const list of [legal, watchFaults]) {
      expect(Object.values(list).map(({ type }) => type)).toEqual(Object.keys(list));
    }
  });

  test("have no fault in common", () => {
    const both = Object.keys(legal).filter((type) => type in watchFaults);
    expect(both).toEqual([]);
  });

  test("parse the JSON of an action to the same action", () => {
    const action = { type: "truncate", at: { afterBytes: 3 }, after: { events: 1 } };
    const read = legalFaults.read(new JsonReader(action));
    expect(read).toEqual({
      type: "truncate",
      at: { afterBytes: 3, inside: "line", then: "end" },
      after: { events: 1, bytes: 0 },
    });
    expect(() => legalFaults.check(read)).not.toThrow();
  });

  test("reject a type of the other list", () => {
    const reader = new JsonReader({ type: "dropEvents" }, "action");
    expect(() => legalFaults.read(reader)).toThrow(ControlInputError);
    expect(illegalFaults.read(reader)).toEqual({ type: "dropEvents", match: {} });
  });
});
