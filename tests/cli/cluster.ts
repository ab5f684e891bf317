import assert from "node:assert/strict";
import { createConnection } from "@listwatch/client";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { listen } from "@listwatch/fake-apiserver/node";
import { runCommandChecks } from "../cluster/command.ts";
import { test } from "../demo/harness.ts";
import { withKubeconfig } from "./listwatch.ts";

test("the checks of the commands in npm run test:cluster pass on the fake API server over TLS", async () => {
  const token = "token-of-reader";
  const server = new FakeApiServer({
    authorization: "rbac",
    users: {
      [token]: { username: "reader" },
      admin: { username: "a", groups: ["system:masters"] },
    },
  });
  await using listener = await listen(server, { tls: true });
  const issued = await listener.tls?.issueClientCertificate();
  const base64 = (text = ""): string => Buffer.from(text).toString("base64");
  const user = {
    "client-certificate-data": base64(issued?.certificate),
    "client-key-data": base64(issued?.key),
  };
  const contents = { server: listener.url, ca: listener.tls?.authority, user };
  const headers = { authorization: "Bearer admin" };
  const connection = createConnection({ server: "http://used", fetch: server.fetch, headers });
  const counts = await withKubeconfig(contents, (kubeconfig) =>
    runCommandChecks({ kubeconfig, connection, token }),
  );
  assert.deepEqual(counts, { passed: 4, failed: 0 });
});
