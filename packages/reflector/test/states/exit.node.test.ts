import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { expect, test } from "vitest";
import { listenHere } from "../support/listen-here.ts";

const program = fileURLToPath(new URL("../support/exit-program.ts", import.meta.url));
const condition = "--conditions=@listwatch/source";
const runtimeArguments = "Deno" in globalThis ? ["run", "-A", "--no-lock", condition] : [condition];

async function create(server: FakeApiServer, name: string): Promise<void> {
  const body = JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } });
  const headers = { "content-type": "application/json" };
  const url = "http://fake/api/v1/namespaces/default/configmaps";
  const response = await server.fetch(new Request(url, { method: "POST", headers, body }));
  expect(response.status).toBe(201);
}

test("a process exits when its reflector's run has settled", async () => {
  const server = new FakeApiServer();
  await using listener = await listenHere(server);
  const child = spawn(process.execPath, [...runtimeArguments, program, listener.url], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (text: Buffer) => (output += text.toString()));
  const closed = once(child, "close");
  await server.control.when.watchOpen();
  // The second connection is open at the end; the first was reset.
  server.control.recorder.clear();
  await create(server, "first");
  await server.control.when.allWatchersAt();
  server.control.watches.reset();
  await server.control.when.requestServed({ verb: "watch" });
  await create(server, "last");
  expect(await closed).toEqual([0, null]);
  expect(output).toBe("running\nsettled\n");
  await server.control.when.watchesClosed();
});
