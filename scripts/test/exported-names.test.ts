import { expect, test } from "vitest";
import { exportedNames, sharedNames } from "../checks/exported-names.ts";

test("the names of an entry are counted once, renamed ones by their new name", () => {
  const text = `/** export { no } from "./no.ts"; */
export { b, type A, c as d } from "./a.ts";
export type {
  E,
  A,
} from "./e.ts";
`;
  expect(exportedNames(text)).toEqual(["A", "E", "b", "d"]);
});

test("names of several packages are found", () => {
  const names = new Map([
    ["one", ["a", "b"]],
    ["two", ["b", "c"]],
  ]);
  expect(sharedNames(names)).toEqual(["b (one, two)"]);
});
