import { FakeApiServer } from "@listwatch/fake-apiserver";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ApiClient, configMaps } from "../support/api-client.ts";
import { ManualClock } from "../support/manual-clock.ts";

// Fixed, so that runs are repeatable.
const settings = { seed: 20260102, numRuns: 600 };
// Longer than any response may take: the server waits 3 s for a future version.
const patienceMs = 10_000;
const maximumBodyBytes = 3 * 1024 * 1024;

const strange = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: "binary", maxLength: 6 }),
  fc.constantFrom(
    "",
    "0",
    "-1",
    "1e9",
    "99999999999999999999",
    "null",
    "..",
    "%",
    "a=b",
    "a in (",
    "é",
    "\u0000",
  ),
);

const segment = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      "api",
      "apis",
      "v1",
      "apps",
      "namespaces",
      "default",
      "configmaps",
      "pods",
      "deployments",
      "events",
      "customresourcedefinitions",
      "apiextensions.k8s.io",
      "a",
      "status",
      "scale",
      "watch",
      "openapi",
      "v3",
      "version",
      "healthz",
    ),
  },
  { weight: 1, arbitrary: strange.map((text) => encodeURIComponent(text)) },
);

const path = fc.oneof(
  fc.constantFrom(
    "/api/v1/configmaps",
    configMaps,
    `${configMaps}/a`,
    "/api/v1/namespaces/default/pods/p/status",
    "/apis/apps/v1/namespaces/default/deployments/d/scale",
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    "/api/v1/namespaces/default",
  ),
  fc.array(segment, { maxLength: 8 }).map((segments) => `/${segments.join("/")}`),
);

const parameter = fc.tuple(
  fc.constantFrom(
    "watch",
    "limit",
    "continue",
    "resourceVersion",
    "resourceVersionMatch",
    "labelSelector",
    "fieldSelector",
    "sendInitialEvents",
    "allowWatchBookmarks",
    "timeoutSeconds",
    "dryRun",
    "fieldValidation",
    "fieldManager",
    "propagationPolicy",
    "gracePeriodSeconds",
    "pretty",
    "includeObject",
    "force",
    "shardSelector",
  ),
  fc.oneof(
    strange,
    fc.constantFrom(
      "true",
      "false",
      "1",
      "All",
      "Strict",
      "NotOlderThan",
      "Exact",
      "metadata.name=a",
    ),
    fc.nat(200).map(String),
  ),
);

const header = fc.tuple(
  fc.constantFrom("accept", "content-type", "accept-encoding", "user-agent", "if-none-match"),
  fc.oneof(
    fc.constantFrom(
      "application/json",
      "application/yaml",
      "application/json;as=Table;g=meta.k8s.io;v=v1",
      "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1",
      "application/vnd.kubernetes.protobuf",
      "application/merge-patch+json",
      "application/json-patch+json",
      "application/apply-patch+yaml",
      "text/html, */*;q=0.1",
      "gzip, br",
      "curl/8",
      ";;;=,",
    ),
    fc.string({ unit: "grapheme-ascii", maxLength: 20 }).map((text) => text.trim()),
  ),
);

const metadata = fc.record(
  {
    name: fc.oneof(fc.constantFrom("a", "b", "A_b", ""), strange),
    generateName: fc.oneof(fc.constant("g-"), strange),
    namespace: fc.oneof(fc.constant("default"), strange),
    labels: fc.oneof(
      fc.dictionary(strange, strange, { maxKeys: 2 }),
      fc.jsonValue({ maxDepth: 1 }),
    ),
    finalizers: fc.oneof(fc.array(strange, { maxLength: 2 }), fc.jsonValue({ maxDepth: 1 })),
    resourceVersion: fc.oneof(strange, fc.jsonValue({ maxDepth: 1 })),
    ownerReferences: fc.jsonValue({ maxDepth: 2 }),
    deletionTimestamp: fc.jsonValue({ maxDepth: 1 }),
  },
  { requiredKeys: [] },
);

const body = fc.oneof(
  fc
    .record(
      {
        apiVersion: fc.oneof(fc.constantFrom("v1", "apps/v1"), strange),
        kind: fc.oneof(fc.constantFrom("ConfigMap", "Pod", "Deployment", "Namespace"), strange),
        metadata: fc.oneof(metadata, fc.jsonValue({ maxDepth: 1 })),
        spec: fc.jsonValue({ maxDepth: 3 }),
        data: fc.jsonValue({ maxDepth: 2 }),
      },
      { requiredKeys: [] },
    )
    .map((value) => JSON.stringify(value)),
  fc
    .array(
      fc.record(
        {
          op: fc.constantFrom("add", "remove", "replace", "move", "copy", "test", "?"),
          path: fc.oneof(
            fc.constantFrom("/data/x", "/metadata/name", "/metadata", "", "data"),
            strange,
          ),
          from: strange,
          value: fc.jsonValue({ maxDepth: 2 }),
        },
        { requiredKeys: [] },
      ),
      { maxLength: 3 },
    )
    .map((value) => JSON.stringify(value)),
  fc.json({ maxDepth: 3 }),
  strange,
  fc.constantFrom(
    "{",
    '{"a":1,"a":2}',
    "a: [",
    "---\n",
    "[".repeat(5000),
    "\ufeff{}",
    '{"__proto__":{"x":1}}',
  ),
);

const anyRequest = fc.record({
  method: fc.constantFrom(
    "GET",
    "GET",
    "POST",
    "POST",
    "PUT",
    "PATCH",
    "PATCH",
    "DELETE",
    "HEAD",
    "OPTIONS",
    "PURGE",
  ),
  path,
  parameters: fc.array(parameter, { maxLength: 4 }),
  headers: fc.array(header, { maxLength: 2 }),
  body,
});

type AnyRequest = typeof anyRequest extends fc.Arbitrary<infer Value> ? Value : never;

function toRequest(input: AnyRequest, signal?: AbortSignal): Request {
  const query = new URLSearchParams([...input.parameters]).toString();
  const hasBody = !["GET", "HEAD"].includes(input.method);
  return new Request(`http://localhost${input.path}${query === "" ? "" : `?${query}`}`, {
    method: input.method,
    headers: [...input.headers],
    ...(hasBody ? { body: input.body } : {}),
    ...(signal === undefined ? {} : { signal }),
  });
}

async function start() {
  const clock = new ManualClock();
  const server = new FakeApiServer({ clock, seed: 1 });
  const client = new ApiClient(server);
  await client.createConfigMap("a", { x: "1" });
  return { clock, server, client };
}

/** Returns everything that is stored, as a string. */
function stored(server: FakeApiServer): string {
  return JSON.stringify(server.control.eventLog());
}

/** Returns the body: of a watch its first events, of a broken body its beginning. */
async function textOf(response: Response, clock: ManualClock): Promise<string> {
  let text = "";
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const reading = (async () => {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done) break;
      text += value;
    }
  })().catch((error: unknown) => error);
  await clock.advance(patienceMs);
  // Cancels a watch that continues; other bodies have ended or failed.
  await reader?.cancel().catch((error: unknown) => error);
  await reading;
  return text;
}

// Typical messages of bugs in a 500.
const ourMistake =
  /TypeError|RangeError|SyntaxError|ReferenceError|undefined|is not a function|call stack/;

/** Returns the problems of a response. */
function problemsOf(response: Response, text: string): readonly string[] {
  const problems: string[] = [];
  if (response.status === 500 && ourMistake.test(text)) problems.push(`our mistake: ${text}`);
  const isJson = response.headers.get("content-type") === "application/json";
  if (!isJson || text === "" || response.headers.has("content-encoding")) return problems;
  try {
    // A watch has one document per line, a pretty response one document on many lines.
    const documents = text.startsWith('{"type"') ? text.trim().split("\n") : [text];
    for (const document of documents) {
      const value = JSON.parse(document) as { kind?: string; code?: number; paths?: unknown };
      const isIndex = response.status === 404 && value.paths !== undefined;
      if (response.status < 400 || isIndex) continue;
      if (value.kind !== "Status" || value.code !== response.status)
        problems.push(`no Status: ${text}`);
    }
  } catch (error) {
    problems.push(`no JSON: ${String(error)} in ${text}`);
  }
  return problems;
}

describe("any request", () => {
  test("gets a well-formed response, without an exception, and has no effect if it is rejected", async () => {
    await fc.assert(
      fc.asyncProperty(anyRequest, async (input) => {
        const { clock, server, client } = await start();
        const before = stored(server);
        const answer = server.fetch(toRequest(input));
        await clock.advance(patienceMs);
        const response = await answer;
        expect(problemsOf(response, await textOf(response, clock))).toEqual([]);
        expect(response.status < 400 || stored(server) === before).toBe(true);
        // The server still works.
        expect((await client.get(configMaps)).status).toBe(200);
      }),
      settings,
    );
  });

  test("may be aborted at any time", async () => {
    await fc.assert(
      fc.asyncProperty(anyRequest, fc.nat(4000), async (input, abortAfterMs) => {
        const { clock, server, client } = await start();
        const abort = new AbortController();
        const reason = new Error("taken back");
        clock.setTimeout(() => abort.abort(reason), abortAfterMs);
        const answer = server
          .fetch(toRequest(input, abort.signal))
          .catch((error: unknown) => error);
        await clock.advance(patienceMs);
        const outcome = await answer;
        if (outcome instanceof Response) await textOf(outcome, clock);
        expect(outcome instanceof Response || outcome === reason).toBe(true);
        expect(server.control.watches.list()).toEqual([]);
        expect((await client.get(configMaps)).status).toBe(200);
      }),
      { ...settings, numRuns: 200 },
    );
  });

  test("is rejected with 413 beyond 3 MiB, whatever it contains", async () => {
    const { server, client } = await start();
    const before = stored(server);
    const tooLong = "x".repeat(maximumBodyBytes + 1);
    for (const [method, at] of [
      ["POST", configMaps],
      ["PUT", `${configMaps}/a`],
      ["PATCH", `${configMaps}/a`],
      ["DELETE", `${configMaps}/a`],
    ] as const) {
      const answer = await client.call(method, at, { tooLong });
      expect([method, answer.status, answer.body["reason"]]).toEqual([
        method,
        413,
        "RequestEntityTooLarge",
      ]);
    }
    expect(stored(server)).toBe(before);
  });
});
