import { createClient, createConnection } from "@listwatch/client";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { follow } from "../../src/commands/node-follow.ts";

afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

/** Follows all pods of a server, and presses Ctrl-C after some lines. Returns what was written. */
async function followPods(
  api: FakeApiServer,
  lists: "plain" | "streamed",
  lines: number,
): Promise<readonly string[]> {
  const written: string[] = [];
  const enough = Promise.withResolvers<void>();
  const write = (line: string): void => {
    if (written.push(line) === lines) enough.resolve();
  };
  vi.spyOn(console, "log").mockImplementation(write);
  vi.spyOn(console, "error").mockImplementation(write);
  const connection = createConnection({
    server: "http://fake",
    fetch: async (request) => {
      const isStreamed = new URL(request.url).searchParams.has("sendInitialEvents");
      if (lists === "plain" && isStreamed) return invalid();
      return api.fetch(request);
    },
  });
  const running = follow(connection, {
    resource: "pods",
    name: undefined,
    namespace: "default",
    allNamespaces: true,
    selector: undefined,
    format: "lines",
  });
  await enough.promise;
  process.emit("SIGINT");
  await running;
  return written;
}

/** The answer of a server without streamed lists. */
function invalid(): Response {
  const message = "sendInitialEvents is forbidden for watch";
  const status = {
    kind: "Status",
    apiVersion: "v1",
    status: "Failure",
    reason: "Invalid",
    code: 422,
  };
  return Response.json({ ...status, message }, { status: 422 });
}

describe("watch", () => {
  // More than an informer applies without a pause.
  const number = 2000;
  const full = new FakeApiServer({ seed: 1, namespaces: "permissive" });
  beforeAll(async () => {
    const client = createClient(createConnection({ server: "http://fake", fetch: full.fetch }));
    const pods = client.resource({ group: "", version: "v1", resource: "pods" });
    const spec = { containers: [{ name: "web", image: "web:1" }] };
    for (let index = 0; index < number; index += 1) {
      await pods.create({ metadata: { namespace: `n${index % 7}`, name: `web-${index}` }, spec });
    }
  });

  test.each(["plain", "streamed"] as const)(
    "does not claim that there are no pods before a %s list is complete",
    async (lists) => {
      const written = await followPods(full, lists, number);
      expect(written.filter((line) => !line.includes("ADDED"))).toEqual([]);
    },
  );

  test.each(["plain", "streamed"] as const)("reports an empty %s list once", async (lists) => {
    const empty = new FakeApiServer({ seed: 1 });
    expect(await followPods(empty, lists, 1)).toEqual(["listwatch: no pods yet, waiting for them"]);
  });
});
