// The server and the page on simulated time, with the roles of a cluster.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient, createConnection } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { namespaces, pods } from "listwatch/resources/core/v1";
import { rolebindings, roles } from "listwatch/resources/rbac.authorization.k8s.io/v1";
import { SimulatedClock } from "listwatch/testing";
import { serveCollections } from "../src/server.ts";
import { followCollections, rowsOf } from "../src/table.ts";

const admin = { username: "admin", groups: ["system:masters"] };
const spec = { containers: [{ name: "web", image: "nginx" }] };

async function start() {
  const clock = new SimulatedClock();
  const api = new FakeApiServer({ clock, authorization: "rbac", users: { secret: admin } });
  const connection = createConnection({
    server: "http://fake",
    fetch: api.fetch,
    headers: () => ({ authorization: "Bearer secret" }),
  });
  const client = createClient(connection, { clock });
  for (const name of ["shop", "bank"]) {
    await client.resource(namespaces).create({ metadata: { name } });
    const pod = { metadata: { name: "web" }, spec: { ...spec, nodeName: "worker-1" } };
    await client.in(name).resource(pods).create(pod);
  }
  const server = serveCollections(connection, {
    clock,
    userOf: ({ headers }) => headers.get("x-forwarded-user") ?? undefined,
  });
  await clock.advance(1000);
  const open = (user: string) => {
    const stop = new AbortController();
    const page = followCollections("http://podboard/stream", {
      clock,
      fetch: (url, init) => server.fetch(new Request(url, init)),
      headers: () => ({ "x-forwarded-user": user }),
    });
    const running = page.run(stop.signal);
    const close = async (): Promise<void> => {
      stop.abort();
      await running;
    };
    return { ...page, close };
  };
  const allow = async (user: string, namespace: string): Promise<void> => {
    const rules = [{ apiGroups: [""], resources: ["pods"], verbs: ["list", "watch"] }];
    const rights = client.in(namespace);
    await rights.resource(roles).create({ metadata: { name: "view" }, rules });
    await rights.resource(rolebindings).create({
      metadata: { name: "view" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "view" },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: user }],
    });
  };
  return { allow, client, clock, open, server };
}

test("a page shows the pods of the namespaces that its user may see, by node", async () => {
  const { allow, client, clock, open, server } = await start();
  await allow("ann", "shop");
  const page = open("ann");
  await clock.advance(1000);
  assert.deepEqual(rowsOf(page), [{ node: "worker-1", pods: ["shop/web Pending"] }]);
  await client.resource(pods).patchStatus("shop/web", { status: { phase: "Running" } });
  await client.resource(pods).patchStatus("bank/web", { status: { phase: "Running" } });
  await clock.advance(1000);
  assert.deepEqual(rowsOf(page), [{ node: "worker-1", pods: ["shop/web Running"] }]);
  assert.equal(page.nodes.status().problem?.reason, "forbidden");
  await page.close();
  await server[Symbol.asyncDispose]();
});

test("pods disappear within a minute after the right to see them", async () => {
  const { allow, client, clock, open, server } = await start();
  await allow("ann", "shop");
  const page = open("ann");
  await clock.advance(1000);
  assert.equal(page.pods.store.size, 1);
  await client.in("shop").resource(rolebindings).delete("view");
  await clock.advance(60_000);
  assert.equal(page.pods.store.size, 0);
  await page.close();
  await server[Symbol.asyncDispose]();
});
