import { describe, expect, test } from "vitest";
import { unifiedDiff } from "../../src/validation/unified-diff.ts";

const letters = (text: string): readonly string[] => Array.from(text);

// The expected diffs are those of Python's difflib, which the Go module follows.
describe("a diff of lines", () => {
  test.each([
    ["abc", "abc", ""],
    ["abcdefg", "abcXefg", "@@ -1,7 +1,7 @@\n a\n b\n c\n-d\n+X\n e\n f\n g\n"],
    ["abcde", "bcde", "@@ -1,4 +1,3 @@\n-a\n b\n c\n d\n"],
    ["abcd", "abcdX", "@@ -2,3 +2,4 @@\n b\n c\n d\n+X\n"],
    ["", "a", "@@ -0,0 +1 @@\n+a\n"],
    [
      "a23456789b",
      "X23456789Y",
      "@@ -1,4 +1,4 @@\n-a\n+X\n 2\n 3\n 4\n@@ -7,4 +7,4 @@\n 7\n 8\n 9\n-b\n+Y\n",
    ],
  ])("of %j and %j is %j", (before, after, expected) => {
    expect(unifiedDiff(letters(before), letters(after))).toBe(expected);
  });

  test("does not search for lines that are frequent in a long text", () => {
    const lines = Array.from({ length: 300 }, (_, index) => (index % 3 === 0 ? "{" : `${index}`));
    const after = lines.with(150, "[").with(151, "x");
    expect(unifiedDiff(lines, after)).toBe(
      "@@ -148,8 +148,8 @@\n {\n 148\n 149\n-{\n-151\n+[\n+x\n 152\n {\n 154\n",
    );
  });
});
