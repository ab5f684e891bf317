import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { listen } from "@listwatch/fake-apiserver/node";
import { fencesIn } from "../support/fences.ts";

const readme = "packages/manager/README.md";
const limitMs = 120_000;
const metadata = { namespace: "default", name: "a" };

/**
 * Runs the operator of the manager's README in a folder with its packages, and sends it SIGTERM
 * while the API server has not yet answered the write of its reconcile. Returns the problem;
 * undefined if it ended as the README says.
 */
export async function problemOfManager(
  [command = "", ...args]: readonly string[],
  cwd: string,
): Promise<string | undefined> {
  const server = new FakeApiServer({
    objects: [{ apiVersion: "v1", kind: "ConfigMap", metadata }],
  });
  const written = Promise.withResolvers<void>();
  const stops = Promise.withResolvers<void>();
  const fetch = async (request: Request): Promise<Response> => {
    if (request.method === "PATCH" && request.url.includes("/configmaps/a")) {
      written.resolve();
      await stops.promise;
    }
    return server.fetch(request);
  };
  await using listener = await listen({ fetch });
  const [program] = fencesIn(readFileSync(readme, "utf8")).filter(({ text }) =>
    text.includes("createManager("),
  );
  const text = program?.text.replace("http://127.0.0.1:8001", listener.url);
  writeFileSync(
    join(cwd, "operator.mjs"),
    text?.replace("port: 8081", 'port: 0, host: "127.0.0.1"') ?? "",
  );
  const child = spawn(command, [...args, "operator.mjs"], { cwd });
  const limit = setTimeout(() => child.kill("SIGKILL"), limitMs);
  const ended = once(child, "close").finally(() => written.resolve());
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (part: string) => {
      output += part;
      if (output.includes("Manager stops")) stops.resolve();
    });
  }
  await written.promise;
  child.kill("SIGTERM");
  const [code] = await ended;
  clearTimeout(limit);
  try {
    assert.equal(code, 0);
    assert.match(output, /^greeted default\/a$/m);
    assert.match(output, /^stopped by SIGTERM$/m);
    const map = await read(server, "api/v1/namespaces/default/configmaps/a");
    assert.deepEqual(map["data"], { greeting: "hello" });
    const leases = "apis/coordination.k8s.io/v1/namespaces/default/leases";
    const { spec } = await read(server, `${leases}/greeter`);
    assert.equal(Reflect.get(Object(spec), "holderIdentity") ?? "", "");
    const events = await read(server, "apis/events.k8s.io/v1/namespaces/default/events");
    assert.match(JSON.stringify(events), /"reason":"Greeted"/);
    return undefined;
  } catch (error) {
    return `${String(error)}\n${output}`;
  }
}

async function read(server: FakeApiServer, path: string): Promise<Record<string, unknown>> {
  const response = await server.fetch(new Request(`http://fake/${path}`));
  return response.json() as Promise<Record<string, unknown>>;
}
