import { InvalidOptionsError } from "@listwatch/core-fifo";
import { Preset } from "@listwatch/core-fifo/base";
import { expect, test } from "vitest";

const defaults = { isQuick: true, most: 5 };
const preset = new Preset("clientGoBehaviour", { most: 1 });

const resolve = (behaviour: unknown): typeof defaults =>
  Preset.resolve(behaviour, "clientGoBehaviour", defaults);

test("a preset stands for its values, over the defaults", () => {
  expect(resolve(undefined)).toEqual(defaults);
  expect(resolve(preset)).toEqual({ isQuick: true, most: 1 });
  expect(Object.keys(preset)).toEqual(["name"]);
});

test.each([
  { name: "single decisions", behaviour: { most: 3 } },
  { name: "a changed copy of the preset", behaviour: Object.assign({}, preset, { most: 3 }) },
  { name: "the preset of something else", behaviour: new Preset("clientGoQueueBehaviour", {}) },
  { name: "the name of the preset", behaviour: "clientGoBehaviour" },
])("a behaviour that is $name is refused with the name of the preset", ({ behaviour }) => {
  expect(() => resolve(behaviour)).toThrow(InvalidOptionsError);
  expect(() => resolve(behaviour)).toThrow(
    "Cannot use the option behaviour: expected clientGoBehaviour, got ",
  );
});
