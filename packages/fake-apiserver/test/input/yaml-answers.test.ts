import { expect, test } from "vitest";
// @boundaries-ignore recorded by conformance/yaml/main.go
import answers from "../../../../conformance/yaml/answers.json" with { type: "json" };
import { decodeYaml } from "../../src/input/decode-yaml.ts";

/** A document as text, and its JSON or error in Go. */
interface Answer {
  readonly text: string;
  readonly json?: string | undefined;
  readonly error?: string | undefined;
  /** The error of a strict reader. */
  readonly strict?: string | undefined;
}

/** Texts that are read, and that Go refuses. */
const taken: readonly string[] = [
  "...\n",
  "a: \u0085b\n",
  "a: \u2028b\n",
  "[a, :b]\n",
  "{a\nb: 1}\n",
  `{${"x".repeat(1025)}: 1}\n`,
  "a: [::]\n",
  "[::]\n",
  "a: {a\n  : b}\n",
  "{a\n  : b}\n",
  "a: \u2029b\n",
];

/** Texts that Go reads, and that are refused or read differently. */
const differing: readonly string[] = [
  "{a:}\n",
  " a: 1\nb: 2\n",
  "[-]\n",
  "a: {a:}\n",
  "a: {a:,b: c}\n",
  "{a:,b: c}\n",
  "a: [-]\n",
  "|\na\n",
  " a: b\nc: d\n",
  "a: &x b\n*x: c\n",
  'a: "b\u2028  c"\n',
  "a: b\u2028c: d\n",
  "a: |\n  b\u2028  c\n",
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
  expect(answers.length).toBeGreaterThan(900);
  expect(wrong).toEqual({ taken, differing });
});

test("keys that are there twice are reported with the words and lines of Go", () => {
  // Those of a merge replace others without a report.
  const strict = (answers as readonly Answer[]).filter(
    (answer) => answer.strict !== undefined && !answer.text.includes("<<"),
  );
  expect(strict.length).toBeGreaterThan(10);
  for (const { strict: message, text } of strict) {
    expect([text, decodeYaml(text).strictErrors]).toEqual([text, [message]]);
  }
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
