import { describe, expect, test } from "vitest";
import { ControlInputError } from "@listwatch/fake-apiserver";
import { illegalFaults, legalFaults } from "../../src/faults/actions/fault-actions.ts";
import * as illegal from "../../src/faults/actions/illegal-faults.ts";
import * as legal from "../../src/faults/actions/legal-faults.ts";
import { JsonReader } from "../../src/faults/inputs/json-reader.ts";

describe("the lists of faults", () => {
  test("name each fault after the type of its action", () => {
    for (const list of [legal, illegal]) {
      expect(Object.values(list).map(({ type }) => type)).toEqual(Object.keys(list));
    }
  });

  test("have no fault in common", () => {
    const both = Object.keys(legal).filter((type) => type in illegal);
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
