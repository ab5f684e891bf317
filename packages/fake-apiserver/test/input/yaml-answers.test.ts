import { expect, test } from "vitest";
// @boundaries-ignore recorded by conformance/yaml/main.go
import answers from "../../../../conformance/yaml/answers.json" with { type: "json" };
import { decodeYaml } from "../../src/input/decode-yaml.ts";

/** A document as text, and its JSON or error in Go. */
interface Answer {
  readonly text: string;
  readonly json?: string | undefined;
  readonly error?: string | undefined;
}

/** Texts that are read, and that Go refuses. */
const taken: readonly string[] = [
  "12345678901234567890: v\n",
  "...\n",
  "%YAML 1.2\n---\na: yes\n",
  "%YAML 2.0\n---\na: 1\n",
  "%FOO\n---\na: 1\n",
  "a:\n  \tb\n",
  'a: "\\x41\\u0042\\U00000043\\n\\t\\e\\0\\_\\N\\L\\P\\/"\n',
  'a: "\\ud83d\\ude00"\n',
  'a: "\\ud83d"\n',
  "a: \u0085b\n",
  "a: \u2028b\n",
  "[a, :b]\n",
  "{a\nb: 1}\n",
  "a: &a-b_c.d 1\nb: *a-b_c.d\n",
  "a: &é 1\n",
  `{${"x".repeat(1025)}: 1}\n`,
  '{"kind":"Config","users":[{"name":"u","user":{"token":"a\\/b\\u0041"}}]}',
];

/** Texts that Go reads, and that are refused or read differently. */
const differing: readonly string[] = [
  ".inf: v\n",
  "{a:}\n",
  " a: 1\nb: 2\n",
  '"a":b\n',
  "'a':b\n",
  "a: |\n  b",
  "[-]\n",
];

function read(text: string): unknown {
  try {
    return decodeYaml(text).value;
  } catch {
    return "refused";
  }
}

test("YAML is read as by Go, except for the texts listed here", () => {
  const wrong = { taken: [] as string[], differing: [] as string[] };
  for (const { error, json, text } of answers as readonly Answer[]) {
    const value = read(text);
    if (error !== undefined) {
      if (value !== "refused") wrong.taken.push(text);
    } else if (!isEqual(value, JSON.parse(json ?? ""))) wrong.differing.push(text);
  }
  expect(answers.length).toBeGreaterThan(400);
  expect(wrong).toEqual({ taken, differing });
});

function isEqual(one: unknown, other: unknown): boolean {
  try {
    // JSON of JavaScript has no negative zero.
    expect(one).toEqual(JSON.parse(JSON.stringify(other)));
    return true;
  } catch {
    return false;
  }
}
