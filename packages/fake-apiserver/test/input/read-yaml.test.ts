import { expect, test } from "vitest";
import { decodeYaml } from "../../src/input/decode-yaml.ts";
import { readYaml } from "../../src/input/read-yaml.ts";

test("files in JSON may have escapes that YAML does not have; bodies in YAML may not", () => {
  const json = '{"token": "a\\/b", "smile": "\\ud83d\\ude00"}';
  expect([...readYaml(json)]).toEqual([{ token: "a/b", smile: "\u{1f600}" }]);
  expect(() => decodeYaml(json)).toThrow("found unknown escape character");
  expect(() => [...readYaml('token: "a\\/b"')]).toThrow("found unknown escape character");
});

test("a tab in the place of indentation has its line, and counts for its document alone", () => {
  expect(() => [...readYaml("a:\n\tb: c\n")]).toThrow(/^line 2, column 1: .*/);
  expect(decodeYaml("a: 1\n---\n\tb: c\n").value).toEqual({ a: 1 });
  expect(decodeYaml("a: [\n\t1,\n\t2]\n").value).toEqual({ a: [1, 2] });
});
