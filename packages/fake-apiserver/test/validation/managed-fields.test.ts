import { expect, test } from "vitest";
import { checkFieldManager, validateManagedFields } from "../../src/validation/managed-fields.ts";
import { describeErrors } from "../support/describe-errors.ts";

test.each([
  ["", []],
  ["tool", []],
  ["\u00fc".repeat(64), []],
  ["\u00fc".repeat(65), ["fieldManager: Too long: may not be more than 128 bytes"]],
  [
    "\u00fc\u0001b\n",
    [
      'fieldManager: Invalid value: "\u00fc\\x01b\\n": invalid character U+0001 (at position 2)',
      'fieldManager: Invalid value: "\u00fc\\x01b\\n": invalid character U+000A (at position 4)',
    ],
  ],
])("SSA-2: the field manager %j has the problem %j", (manager, problems) => {
  expect(describeErrors(checkFieldManager("fieldManager", manager))).toEqual(problems);
});

test("MF-25: entries are named by their index", () => {
  const entries = [{ manager: "a" }, { manager: "\t", subresource: "s".repeat(257) }];
  expect(validateManagedFields(undefined)).toEqual([]);
  expect(describeErrors(validateManagedFields(entries))).toEqual([
    'metadata.managedFields[1].manager: Invalid value: "\\t": invalid character U+0009 (at position 0)',
    "metadata.managedFields[1].subresource: Too long: may not be more than 256 bytes",
  ]);
});
