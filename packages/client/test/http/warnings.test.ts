import { Collection, createClient, createConnection, type Warning } from "@listwatch/client";
import { silentLog, type Log } from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { answering } from "../support/answering.ts";
import { logWarnings, parseWarnings } from "../../src/http/warnings.ts";

describe("the Warning header", () => {
  test.each<[string, readonly string[]]>([
    ['299 - "one"', ["one"]],
    ['299 - "one", 299 - "two"', ["one", "two"]],
    ['299 - "a \\"quoted\\" word, and a \\\\ backslash"', ['a "quoted" word, and a \\ backslash']],
    ['299 - "with 299 - inside, not two"', ["with 299 - inside, not two"]],
    ['110 anderson "Response is stale"', []],
    ['299 host:80 "agent"', ["agent"]],
    ["", []],
    ["299", []],
    ['299 - "unclosed', []],
  ])("%s (CLI-4)", (header, texts) => {
    expect(parseWarnings(header)).toEqual(texts);
  });
});

test("a warning is logged once in ten minutes (CLI-4)", async () => {
  const lines: unknown[] = [];
  const log: Log = { ...silentLog, warn: (_, fields) => void lines.push(fields["text"]) };
  const clock = new SimulatedClock();
  const warn = logWarnings(log, clock);
  const say = (text: string): void => warn({ text, method: "GET", path: "/" });
  say("a");
  say("a");
  say("b");
  await clock.advance(600_000);
  say("a");
  expect(lines).toEqual(["a", "b", "a"]);
});

const componentStatuses = { group: "", version: "v1", resource: "componentstatuses" };
const deprecated = "v1 ComponentStatus is deprecated in v1.19+";

test("lists of a client report warnings, page by page (CLI-4)", async () => {
  const api = new FakeApiServer();
  const connection = createConnection({ server: "http://fake", fetch: api.fetch });
  const warnings: Warning[] = [];
  const client = createClient(connection, { onWarning: (warning) => warnings.push(warning) });
  await client.resource(componentStatuses).list();
  const path = "/api/v1/componentstatuses";
  expect(warnings).toEqual([{ text: deprecated, method: "GET", path }]);
});

test("lists and watches of a collection report warnings (CLI-4)", async () => {
  const { connection } = answering(
    () =>
      new Response(JSON.stringify({ kind: "PodList", items: [] }), {
        headers: { warning: '299 - "one", 299 - "two"' },
      }),
  );
  const texts: string[] = [];
  const collection = new Collection({
    connection,
    resource: componentStatuses,
    onWarning: ({ text }) => texts.push(text),
  });
  const { signal } = new AbortController();
  const { items } = await collection.list({}, { signal });
  for await (const batch of items) expect(batch).toEqual([]);
  await collection.watch({}, { signal });
  expect(texts).toEqual(["one", "two", "one", "two"]);
});
