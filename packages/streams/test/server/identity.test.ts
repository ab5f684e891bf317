import { expect, test } from "vitest";
import { identifyRequest } from "../../src/server/identity.ts";
import { contentOf, openPage, startBackend } from "../support/dashboard.ts";

test.each([
  ["x-forwarded-user", undefined],
  ["x-shard", ({ headers }: Request) => headers.get("x-shard") ?? ""],
])("a page keeps no objects of the user before, by %s (PGS-8)", async (header, identify) => {
  const backend = await startBackend();
  const { clock } = backend;
  await backend.write("a/one", { owner: "ann" });
  await backend.write("a/two", { owner: "bob" });
  let user = "ann";
  const handler = backend.serve({
    filter: { maps: ({ data }, { headers }) => data?.["owner"] === headers.get(header) },
    identify,
  });
  const page = openPage(() => handler, { clock, headers: () => ({ [header]: user }) });
  const maps = page.informer("maps");
  await clock.advance(0);
  expect(Object.keys(contentOf(maps))).toEqual(["a/one"]);
  page.breakStream();
  user = "bob";
  await clock.advance(1000);
  expect(Object.keys(contentOf(maps))).toEqual(["a/two"]);
  await page.close();
  await backend.stop();
});

const identityWith = (name: string, value: string): string =>
  identifyRequest(
    new Request("http://dashboard/?collections=maps", { headers: { [name]: value } }),
  );

test.each([
  ["Authorization"],
  ["X-Forwarded-Email"],
  ["X-Auth-Request-User"],
  ["X-Auth-Request-Groups"],
  ["Remote-User"],
  ["X-Remote-Group"],
  ["X-WebAuth-User"],
  ["X-Goog-Authenticated-User-Email"],
  ["Cf-Access-Jwt-Assertion"],
  ["X-Amzn-Oidc-Identity"],
  ["X-Ms-Client-Principal-Name"],
  ["Tailscale-User-Login"],
  ["X-Forwarded-Client-Cert"],
  ["X-Api-Key"],
])("the header %s tells users apart", (name) => {
  expect(identityWith(name, "ann")).not.toBe(identityWith(name, "bob"));
});

test.each([
  ["User-Agent"],
  ["Accept-Language"],
  ["Last-Event-ID"],
  ["X-Request-ID"],
  ["X-Forwarded-For"],
  ["X-Real-IP"],
  ["Traceparent"],
  ["Cf-Ray"],
])("a page whose header %s changes resumes", (name) => {
  expect(identityWith(name, "one")).toBe(identityWith(name, "other"));
});

test("the query tells users apart, without the names of the collections", () => {
  const identityOf = (query: string): string =>
    identifyRequest(new Request(`http://dashboard/?${query}`));
  expect(identityOf("user=ann&collections=a")).toBe(identityOf("user=ann&collections=a,b"));
  expect(identityOf("user=ann&collections=a")).not.toBe(identityOf("user=bob&collections=a"));
});
