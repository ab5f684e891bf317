// A manager on a real server: it leads, reconciles, protects its metrics, and stops in order.
import assert from "node:assert/strict";
import { silentLog, type Log } from "@listwatch/core-fifo";
import { createManager } from "@listwatch/manager";
import { connect } from "listwatch/node";
import { check } from "./checks.ts";
import { clusterScoped, configMaps, makeScene, namespaced } from "./cluster.ts";

await using connection = await connect();
const { client, info, namespace, maps } = await makeScene(connection, "manager");
const leases = namespaced("coordination.k8s.io", "v1", "leases", "Lease");
const lines: { readonly message: string; readonly fields: Readonly<Record<string, unknown>> }[] =
  [];
const writeInfo: Log["info"] = (message, fields) => void lines.push({ message, fields });
const manager = createManager(connection, {
  name: "operator",
  namespaces: [namespace],
  signals: false,
  server: { port: 0, host: "127.0.0.1", protectedMetrics: { port: 0 } },
  election: { identity: info.runtime },
  telemetry: { log: { ...silentLog, info: writeInfo } },
});
const done = Promise.withResolvers<string>();
manager.controller({
  for: configMaps,
  reconcile: async (key, { client: own, object }) => {
    if (object?.metadata.name !== "settings" || object.data?.["seen"] === "yes") return;
    await own.resource(configMaps).patch(key, { data: { seen: "yes" } });
    done.resolve(key);
  },
});

const stop = new AbortController();
const running = manager.run(stop.signal);

await check("the manager leads and reconciles", async () => {
  await maps.create({ metadata: { namespace, name: "settings" } });
  assert.equal(await done.promise, `${namespace}/settings`);
  assert.equal((await maps.get(`${namespace}/settings`)).data?.["seen"], "yes");
  const ready = await fetch(`http://127.0.0.1:${manager.port}/readyz?verbose`);
  assert.equal(ready.status, 200, await ready.text());
});

await check("protected metrics ask the server who may read them", async () => {
  const served = lines.find(({ message }) => message === "Metrics are served");
  const url = `http://127.0.0.1:${String(served?.fields["port"])}/metrics`;
  const scrape = async (token?: string) => {
    const headers: Record<string, string> =
      token === undefined ? {} : { authorization: `Bearer ${token}` };
    const response = await fetch(url, { headers });
    return { status: response.status, text: await response.text() };
  };
  assert.equal((await scrape()).status, 401);
  assert.equal((await scrape("wrong")).status, 401);
  assert.equal((await scrape(info.token)).status, 403);
  const rbac = "rbac.authorization.k8s.io";
  const name = `metrics-${info.runtime}`;
  const account = namespaced("", "v1", "serviceaccounts", "ServiceAccount");
  await client.resource(account).create({ metadata: { namespace, name } });
  const roles = clusterScoped(rbac, "v1", "clusterroles", "ClusterRole");
  const rules = [{ nonResourceURLs: ["/metrics"], verbs: ["get"] }];
  await client.request({
    method: "POST",
    path: `/apis/${rbac}/v1/clusterroles`,
    body: { apiVersion: `${rbac}/v1`, kind: roles.kind, metadata: { name }, rules },
  });
  await client.request({
    method: "POST",
    path: `/apis/${rbac}/v1/clusterrolebindings`,
    body: {
      apiVersion: `${rbac}/v1`,
      kind: "ClusterRoleBinding",
      metadata: { name },
      roleRef: { apiGroup: rbac, kind: "ClusterRole", name },
      subjects: [{ kind: "ServiceAccount", namespace, name }],
    },
  });
  // The authorizer reads new roles with a delay, so ask it before the manager keeps a refusal.
  const review = {
    apiVersion: "authorization.k8s.io/v1",
    kind: "SubjectAccessReview",
    spec: {
      user: `system:serviceaccount:${namespace}:${name}`,
      nonResourceAttributes: { path: "/metrics", verb: "get" },
    },
  };
  const mayRead = async (): Promise<boolean> => {
    const path = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
    const answer: unknown = await client.request({ method: "POST", path, body: review });
    return (answer as { readonly status: { readonly allowed: boolean } }).status.allowed;
  };
  for (let attempt = 0; !(await mayRead()); attempt++) assert.ok(attempt < 1000, "no permission");
  const requested: unknown = await client.request({
    method: "POST",
    path: `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`,
    body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} },
  });
  const { status } = requested as { readonly status: { readonly token: string } };
  const scraped = await scrape(status.token);
  assert.equal(scraped.status, 200, scraped.text);
  assert.match(scraped.text, /rest_client_requests_total\{code="200",method="GET"/);
  assert.match(scraped.text, /leader_election_master_status\{name="operator"\} 1/);
});

await check("a stop releases the lease", async () => {
  stop.abort();
  assert.deepEqual(await running, { by: "abort" });
  const { spec } = await client.resource(leases).get(`${namespace}/operator`);
  assert.equal(spec.holderIdentity ?? "", "");
});
