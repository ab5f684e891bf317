import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createClusterConnection } from "@listwatch/client/node";
import { check } from "./checks.ts";
import { namespaced, pem, type ClusterInfo, type Scene } from "./cluster.ts";
import { configOf, whoIs } from "./identity.ts";
import type { LoginOptions } from "./login.ts";
import { signToken, type TokenSubject } from "./service-account-token.ts";

/** Lifetime of an expiring token, part of which running a plugin takes. */
const shortSeconds = 3;
/** Time after which the server rejects such a token: it caches tokens for ten seconds. */
const expiredMs = (shortSeconds + 12) * 1000;

/** Checks tokens that expire while a program runs. The checks wait concurrently. */
export async function checkRenewals({ client, info, namespace }: Scene): Promise<void> {
  const accounts = client.resource(namespaced("", "v1", "serviceaccounts", "ServiceAccount"));
  const names = ["planned", "surprised", "file", "other"] as const;
  const [planned, surprised, file, other] = await Promise.all(
    names.map(async (name): Promise<TokenSubject> => {
      const { metadata } = await accounts.create({ metadata: { namespace, name } });
      const key = pem(info, "server.key");
      return { issuer: info.issuer, key, namespace, name, uid: metadata.uid ?? "" };
    }),
  );
  assert.ok(planned && surprised && file && other);
  const username = ({ name }: TokenSubject): string => `system:serviceaccount:${namespace}:${name}`;

  await Promise.all([
    check("an exec plugin whose token ends: a new one before that, no request fails", async () => {
      const plugin = makePlugin(info, { ...planned, seconds: 14, claimedSeconds: 14 });
      await using connection = createClusterConnection(configOf(info, { exec: plugin.exec }));
      for (const endMs = Date.now() + 20_000; Date.now() < endMs; await delay(500)) {
        assert.equal((await whoIs(connection)).username, username(planned));
      }
      // Renewed ten seconds before its expiry, hence every four.
      assert.ok(plugin.runs() >= 3 && plugin.runs() <= 7, `${plugin.runs()} runs`);
    }),

    check("an exec plugin whose token ends early: 401, a new one, the request again", async () => {
      const plugin = makePlugin(info, {
        ...surprised,
        seconds: shortSeconds,
        claimedSeconds: 3600,
      });
      await using connection = createClusterConnection(configOf(info, { exec: plugin.exec }));
      assert.equal((await whoIs(connection)).username, username(surprised));
      await delay(expiredMs);
      assert.equal((await whoIs(connection)).username, username(surprised));
      assert.equal(plugin.runs(), 2);
    }),

    check("a token file that is replaced: read again when the server refuses", async () => {
      const tokenFile = join(info.folder, "token");
      writeFileSync(tokenFile, signToken(file, shortSeconds));
      await using connection = createClusterConnection(configOf(info, { tokenFile }));
      assert.equal((await whoIs(connection)).username, username(file));
      writeFileSync(tokenFile, signToken(other, 60));
      // The first token is still valid, and the file is reread once a minute.
      assert.equal((await whoIs(connection)).username, username(file));
      await delay(expiredMs);
      assert.equal((await whoIs(connection)).username, username(other));
    }),
  ]);
}

/** The plugin `login.ts`, which Node runs on every runtime. */
function makePlugin(info: ClusterInfo, options: LoginOptions) {
  const [file, runs] = ["json", "runs"].map((end) => join(info.folder, `${options.name}.${end}`));
  assert.ok(file !== undefined && runs !== undefined);
  writeFileSync(file, JSON.stringify(options));
  writeFileSync(runs, "");
  const exec = {
    apiVersion: "client.authentication.k8s.io/v1",
    command: info.node,
    args: [join(import.meta.dirname, "login.ts"), file, runs],
    env: {},
    installHint: undefined,
    cluster: undefined,
  };
  return { exec, runs: () => readFileSync(runs, "utf8").split("\n").length - 1 };
}
