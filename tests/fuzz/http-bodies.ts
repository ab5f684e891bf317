import * as fc from "fast-check";
import { anyJson } from "./anything.ts";
import { objects, patches } from "./http-samples.ts";
import { change, mistake } from "./mistakes.ts";

const bytes = (text: string): string => String.fromCharCode(...new TextEncoder().encode(text));
/** A value as the bytes of its JSON, with keys that must not become a prototype. */
export const json = (value: unknown): string =>
  bytes(
    (JSON.stringify(value) ?? "")
      .replaceAll("@proto", "__proto__")
      .replaceAll("@con", "constructor"),
  );

const usualValue = fc.constantFrom<unknown>(...objects, ...patches);
/** Any body: valid ones, with mistakes, cut, and random bytes. */
export const randomBody = fc.oneof(
  { weight: 2, arbitrary: fc.constant("") },
  { weight: 4, arbitrary: usualValue.map(json) },
  {
    weight: 6,
    arbitrary: fc
      .tuple(usualValue, fc.array(mistake, { minLength: 1, maxLength: 3 }))
      .map(([value, mistakes]) => json(mistakes.reduce<unknown>(change, value))),
  },
  // Cut, and with foreign bytes in the middle.
  {
    weight: 2,
    arbitrary: fc
      .tuple(usualValue, fc.nat(400), fc.string({ unit: "binary", maxLength: 3 }), fc.boolean())
      .map(([value, at, text, isCut]) => {
        const whole = json(value);
        return whole.slice(0, at) + bytes(text) + (isCut ? "" : whole.slice(at));
      }),
  },
  { weight: 1, arbitrary: anyJson.map(json) },
  {
    weight: 1,
    arbitrary: fc.uint8Array({ maxLength: 12 }).map((values) => String.fromCharCode(...values)),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "a: &a [*a, *a]\n",
      "metadata:\n  name: a\n  name: b\n",
      "? {a: b}\n: c\n",
      "metadata: {name: a}\n---\nmetadata: {name: b}\n",
      '{"metadata":{"name":"a","name":"b"},"data":{"a":"1","a":"2"}}',
      `{"data":${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}}`,
      "[".repeat(100_000),
      '{"metadata":{"name":"\\ud800"}}',
      '{"metadata":{"name":"a","generation":1e400,"resourceVersion":1e99}}',
      "\u00ef\u00bb\u00bf{}",
      "k8s\u0000\n\u000a\u0002v1",
    ),
  },
);
