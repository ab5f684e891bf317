import assert from "node:assert/strict";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { createClient, isNetworkError } from "@listwatch/client";
import { createClusterConnection } from "@listwatch/client/node";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { connect } from "listwatch/node";
import { check, failureOf } from "./checks.ts";
import { configMaps, pem, type Scene } from "./cluster.ts";
import { configOf, whoAmI, whoIs } from "./identity.ts";

/** Checks authorities of the server, and client certificates. */
export async function checkCertificates({ info }: Scene): Promise<void> {
  const cert = { text: pem(info, "client.crt") };
  const key = { text: pem(info, "client.key") };
  const admin = { cert, key };

  await check("a kubeconfig as kind writes it", async () => {
    await using connection = await connect();
    const { groups, username } = await whoIs(connection);
    assert.equal(username, "kubernetes-admin");
    assert.ok(groups.includes("system:masters"));
  });

  await check("a client certificate in files", async () => {
    const user = {
      cert: { file: join(info.pki, "client.crt") },
      key: { file: join(info.pki, "client.key") },
    };
    const ca = { file: join(info.pki, "ca.crt") };
    assert.equal(await whoAmI(configOf(info, user, { ca })), "kubernetes-admin");
  });

  await check("an encrypted key", async () => {
    const encrypted = { text: pem(info, "client.encrypted.key") };
    const user = { cert, key: encrypted, passphrase: "secret" };
    assert.equal(await whoAmI(configOf(info, user)), "kubernetes-admin");
  });

  await check("certificate files that are replaced: the new user after a minute", async () => {
    const clock = new SimulatedClock({ startMs: Date.now() });
    const [certFile, keyFile] = ["tls.crt", "tls.key"].map((name) => join(info.folder, name));
    assert.ok(certFile !== undefined && keyFile !== undefined);
    const put = (name: string): void => {
      copyFileSync(join(info.pki, `${name}.crt`), certFile);
      copyFileSync(join(info.pki, `${name}.key`), keyFile);
    };
    put("client");
    const user = { cert: { file: certFile }, key: { file: keyFile } };
    await using connection = createClusterConnection(configOf(info, user), { clock });
    assert.equal((await whoIs(connection)).username, "kubernetes-admin");
    put("renewed");
    await clock.advance(61_000);
    assert.equal((await whoIs(connection)).username, "renewed-admin");
  });

  await check("an authority that did not sign the server's certificate: an error", async () => {
    const other = { text: pem(info, "other-ca.crt") };
    await using connection = createClusterConnection(configOf(info, admin, { ca: other }));
    const client = createClient(connection, { retries: 0 });
    const failure = await failureOf(client.resource(configMaps).get("default/a"));
    assert.ok(isNetworkError(failure), failure.message);
    assert.match(failure.message, /certificate|issuer/i);
    assert.ok(failure.message.includes(info.server), failure.message);
  });

  await check("a server name that the certificate has, and one that it has not", async () => {
    const named = configOf(info, admin, { serverName: "localhost" });
    assert.equal(await whoAmI(named), "kubernetes-admin");
    const wrong = configOf(info, admin, { serverName: "elsewhere.test" });
    const failure = await failureOf(whoAmI(wrong));
    assert.ok(isNetworkError(failure), failure.message);
  });

  await check("no verification of the server where that is asked for", async () => {
    const config = configOf(info, admin, { ca: undefined, insecureSkipVerify: true });
    assert.equal(await whoAmI(config), "kubernetes-admin");
  });
}
