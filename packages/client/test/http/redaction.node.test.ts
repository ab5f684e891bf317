import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClusterConnection } from "@listwatch/client/node";
import { silentLog } from "@listwatch/core-fifo/base";
import { afterAll, describe, expect, test } from "vitest";
import {
  everythingIn,
  failuresOf,
  leaks,
  piecesIn,
  portable,
  testRedaction,
  token,
} from "../support/redaction.ts";

// All forms of credentials are in redaction-forms.node.test.ts, which takes longer.
testRedaction(leaks.filter(([name]) => portable.has(name)));

describe("the token of an exec plugin is not shown", () => {
  const fakeProgram = join(import.meta.dirname, "../support/plugin.mjs");
  const folder = mkdtempSync(join(tmpdir(), "listwatch-redaction-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function connectWithPlugin(server: string) {
    const kind = "ExecCredential";
    const apiVersion = "client.authentication.k8s.io/v1";
    const env = { PRINTED: JSON.stringify({ kind, apiVersion, status: { token } }) };
    const command = "Deno" in globalThis || "Bun" in globalThis ? "node" : process.execPath;
    const args = [fakeProgram, join(folder, "runs"), "raw"];
    const exec = { apiVersion, command, args, env, installHint: undefined, cluster: undefined };
    const config = { origin: "test", server, user: { exec } };
    return createClusterConnection(config, { log: silentLog, onExecStderr: () => undefined });
  }

  test.each<[string, (text: string, response: ServerResponse) => void]>([
    ["an error page", (text, response) => response.writeHead(502).end(text)],
    ["a page that is not an error", (text, response) => response.end(`<p>${text}</p>`)],
    ["a refusal", (text, response) => response.writeHead(401).end(text)],
    ["a status line", (text, response) => response.socket?.end(`HTTP/1.1 ${text}\r\n\r\n`)],
    ["a header", (text, response) => response.socket?.end(`HTTP/1.1 200 OK\r\n${text}\0:\r\n\r\n`)],
  ])("in %s", async (_, answer) => {
    const server = createServer(({ headers }, response) => {
      answer(String(headers.authorization), response);
    });
    await once(server.listen(0), "listening");
    const { port } = server.address() as AddressInfo;
    await using connection = connectWithPlugin(`http://localhost:${port}`);
    const failures = await failuresOf(connection);
    expect(piecesIn(failures.map(everythingIn).join("\n"), token)).toEqual([]);
    server.close();
  });
});
