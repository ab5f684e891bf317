import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient, isStatusError, type StatusError } from "@listwatch/client";
import { createClusterConnection, inClusterConfig } from "@listwatch/client/node";
import { check, failureOf } from "./checks.ts";
import { configMaps, namespaced, pem, type Scene } from "./cluster.ts";
import { configOf, whoAmI } from "./identity.ts";

/** Checks tokens, in-cluster configuration, impersonation, and refusals of the server. */
export async function checkTokens({ client, info, namespace }: Scene): Promise<void> {
  const { token } = info;

  await check("a token", async () => {
    assert.equal(await whoAmI(configOf(info, { token })), "reader");
  });

  await check("a user without rights: 403 with the name of the user", async () => {
    await using connection = createClusterConnection(configOf(info, { token }));
    const maps = createClient(connection).resource(configMaps);
    const failure = (await failureOf(maps.list({ namespace }))) as StatusError;
    assert.equal(failure.httpCode, 403);
    assert.match(failure.message, /"reader" cannot list resource "configmaps"/);
  });

  await check(
    "a token that the server does not know: 401, and the token is not shown",
    async () => {
      const failure = await failureOf(whoAmI(configOf(info, { token: "unknown-token" })));
      assert.ok(isStatusError(failure) && failure.httpCode === 401, failure.message);
      assert.doesNotMatch(`${failure.message}${failure.stack}`, /unknown-token/);
    },
  );

  await check("no credentials: 403 for system:anonymous", async () => {
    await using connection = createClusterConnection(configOf(info, {}));
    const maps = createClient(connection).resource(configMaps);
    const failure = (await failureOf(maps.get(`${namespace}/a`))) as StatusError;
    assert.equal(failure.httpCode, 403);
    assert.match(failure.message, /system:anonymous/);
  });

  await check("impersonation, with several groups", async () => {
    const impersonate = { user: "ann", groups: ["one", "two"], uid: "7", extra: { a: ["b"] } };
    const cert = { text: pem(info, "client.crt") };
    const key = { text: pem(info, "client.key") };
    assert.equal(await whoAmI(configOf(info, { cert, key, impersonate })), "ann");
  });

  await check("what a pod finds", async () => {
    const accounts = client.resource(namespaced("", "v1", "serviceaccounts", "ServiceAccount"));
    await accounts.create({ metadata: { namespace, name: "pod" } });
    const folder = join(info.folder, "serviceaccount");
    mkdirSync(folder);
    const files = {
      namespace,
      token: (await accounts.token(`${namespace}/pod`)).token,
      "ca.crt": pem(info, "ca.crt"),
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const { hostname, port } = new URL(info.server);
    const environment = { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port };
    const config = await inClusterConfig({ folder, environment });
    assert.equal(config.namespace, namespace);
    assert.equal(await whoAmI(config), `system:serviceaccount:${namespace}:pod`);
  });
}
