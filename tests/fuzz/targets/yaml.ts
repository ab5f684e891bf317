import * as fc from "fast-check";
import { parse, stringify } from "yaml";
import { anyJson, anyText, serverOfThings, thing, things } from "../anything.ts";
import { checkSame, fuzzTarget, type AnyTarget } from "../target.ts";

const api = serverOfThings();

/** Returns the server's reading of a body, in the requested format. */
async function said(body: string, type: string, accept: string): Promise<unknown> {
  const answer = await api.fetch(`${things}?dryRun=All`, {
    method: "POST",
    headers: { "content-type": `application/${type}`, accept: `application/${accept}` },
    body,
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`answered ${answer.status}: ${text}`);
  // The library reads YAML 1.2, in which every string that needs quotes has them.
  return (accept === "yaml" ? parse(text, { merge: true }) : JSON.parse(text)) as unknown;
}

const styles = fc.record({
  defaultStringType: fc.constantFrom(
    "PLAIN" as const,
    "QUOTE_DOUBLE" as const,
    "QUOTE_SINGLE" as const,
    "BLOCK_LITERAL" as const,
    "BLOCK_FOLDED" as const,
  ),
  collectionStyle: fc.constantFrom("any" as const, "block" as const, "flow" as const),
  indent: fc.constantFrom(1, 2, 4),
  lineWidth: fc.constantFrom(0, 20, 80),
});

const inputs = fc.record({
  spec: fc.oneof(
    anyJson,
    fc.array(anyText, { maxLength: 3 }),
    fc.dictionary(anyText, anyText, { maxKeys: 3 }),
  ),
  style: fc.oneof(fc.constant(undefined), styles),
});
type Input = typeof inputs extends fc.Arbitrary<infer Value> ? Value : never;

async function check({ spec, style }: Input): Promise<void> {
  const object = JSON.parse(
    JSON.stringify(thing("a", spec)).replaceAll('"__proto__"', '"p"'),
  ) as unknown;
  // YAML has neither lone surrogates, nor most control characters outside of quotes.
  const json = JSON.stringify(object).toWellFormed();
  if (/\\u(d[89a-f]|00[01]|007f)|[\u007f-\u009f\ufeff\ufffe\uffff]/i.test(json)) return;
  const text = style === undefined ? json : stringify(object, { version: "1.1", ...style });
  const expected = specOf(await said(json, "json", "json"));
  if (readsBack(text, object)) {
    checkSame(
      specOf(await said(text, "yaml", "json")),
      expected,
      `read from YAML ${JSON.stringify(text)}`,
    );
  }
  checkSame(specOf(await said(json, "json", "yaml")), expected, "written as YAML");
}

/**
 * Checks that the library reads what it wrote. It writes some trailing blanks of a block, and the
 * key `<<` without quotes, in a form that means something else; Go quotes that key.
 */
function readsBack(text: string, object: unknown): boolean {
  try {
    return JSON.stringify(parse(text, { version: "1.1" })) === JSON.stringify(object);
  } catch {
    return false;
  }
}

function specOf(value: unknown): unknown {
  return (value as { readonly spec?: unknown }).spec;
}

/** YAML, compared with JSON and the library's reading. */
export const yaml: AnyTarget = fuzzTarget({ name: "yaml", inputs, check });
