// Not in Chromium, which hides a redirect's location from programs.
import { Collection, createClient, createConnection, StatusError } from "@listwatch/client";
import { createServer } from "node:http";
import { describe, expect, test } from "vitest";
import { answering, failureOf } from "../support/answering.ts";

const resource = { group: "", version: "v1", resource: "pods" };
const signal = new AbortController().signal;
const location = "https://user:hidden@login.example/sign/in?state=hidden#hidden";
const shown = "https://…@login.example/sign/in…";

describe.each([301, 302, 303, 307, 308])("a redirect with %d", (status) => {
  test("results in a StatusError that names the location, for every call", async () => {
    const { connection, requests } = answering(
      () => new Response("<html>hidden", { status, headers: { location } }),
    );
    const pods = createClient(connection).resource(resource);
    const collection = new Collection({ connection, resource });
    const metadata = { namespace: "a", name: "b" };
    for (const call of [
      () => pods.get("a/b"),
      () => pods.create({ metadata }),
      () => pods.update({ metadata }),
      () => pods.patch("a/b", {}),
      () => pods.delete("a/b"),
      () => collection.list({}, { signal }),
      () => collection.watch({}, { signal }),
    ]) {
      const error = await failureOf(call());
      expect(error).toBeInstanceOf(StatusError);
      expect(error).toMatchObject({
        httpCode: status,
        method: requests.at(-1)?.method,
        path: new URL(requests.at(-1)?.url ?? "").pathname,
      });
      expect(String(error)).toContain(`answered ${status} with a redirect to ${shown}, `);
      expect(JSON.stringify(error)).not.toContain("hidden");
    }
    expect(requests.map(({ redirect }) => redirect)).toEqual(requests.map(() => "manual"));
  });
});

test.each([
  ["/login", "http://server/login"],
  ["//user:hidden@other/x", "http://…@other/x"],
  ["https:\\\\user:hidden@other", "https://…@other/"],
  ["http://us er:hidden@no host", "…@…"],
])("the location %j is shown as %s", async (given, named) => {
  const { connection } = answering(
    () => new Response(null, { status: 302, headers: { location: given } }),
  );
  const error = await failureOf(createClient(connection).resource(resource).get("a/b"));
  expect(String(error)).toContain(`a redirect to ${named}, `);
});

test("a transport that follows redirects is detected", async () => {
  const followed = Response.json({ kind: "PodList", items: [] });
  Object.defineProperty(followed, "redirected", { value: true });
  Object.defineProperty(followed, "url", { value: location });
  const { connection } = answering(() => followed);
  const error = await failureOf(new Collection({ connection, resource }).list({}, { signal }));
  expect(error).toBeInstanceOf(StatusError);
  expect(String(error)).toContain(`followed a redirect to ${shown}, `);
});

test("no request and no header goes to another origin over the runtime's own fetch", async () => {
  const seen: string[] = [];
  const other = createServer((request, response) => {
    seen.push(`other ${request.url} ${request.headers.authorization}`);
    response.setHeader("content-type", "application/json");
    response.end('{"kind":"PodList","items":[]}');
  });
  const server = createServer((request, response) => {
    seen.push(`server ${request.method}`);
    response.writeHead(307, { location: `${origin(other)}${request.url}` }).end();
  });
  await Promise.all([other, server].map((one) => listen(one)));
  try {
    for (const headers of [{ authorization: "hidden" }, () => ({ authorization: "hidden" })]) {
      const connection = createConnection({ server: origin(server), headers });
      const pods = createClient(connection).resource(resource);
      const failures = [
        await failureOf(pods.get("a/b")),
        await failureOf(pods.create({ metadata: { name: "a" } })),
        await failureOf(new Collection({ connection, resource }).watch({}, { signal })),
      ];
      for (const failure of failures) {
        expect(failure).toMatchObject({ httpCode: 307 });
        expect(String(failure)).toContain(origin(other));
      }
    }
    expect(seen).toEqual([0, 1, 2, 3, 4, 5].map((n) => `server ${n % 3 === 1 ? "POST" : "GET"}`));
  } finally {
    other.closeAllConnections();
    server.closeAllConnections();
    other.close();
    server.close();
  }
});

type HttpServer = ReturnType<typeof createServer>;

function listen(server: HttpServer): Promise<void> {
  return new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
}

function origin(server: HttpServer): string {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("Expected a port");
  return `http://127.0.0.1:${address.port}`;
}
