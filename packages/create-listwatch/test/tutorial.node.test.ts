import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  conditionOf,
  createClient,
  createConnection,
  createManager,
  ensureDefinition,
  isConditionTrue,
  silentLog,
  waitFor,
  type Client,
} from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { listen } from "listwatch/fake-apiserver/node";
import { configmaps } from "listwatch/resources/core/v1";
import { readManifests } from "listwatch/testing";
import { expect, test } from "vitest";
import { greetings } from "../templates/operator/src/greetings.generated.ts";
import { addController, program } from "../templates/operator/src/operator.ts";

const example = join(import.meta.dirname, "../../../examples/deploy");

/** Returns the effects of an operator on a greeting, another message, and an edit by hand. */
async function resultOf(start: (server: string, signal: AbortSignal) => Promise<unknown>) {
  const listener = await listen(new FakeApiServer());
  const stop = new AbortController();
  const connection = createConnection({ server: listener.url });
  const client = createClient(connection, { fieldManager: "user" });
  try {
    for (const definition of await readManifests(join(example, "manifests/definition.yaml"))) {
      await ensureDefinition(client, definition);
    }
    const ended = start(listener.url, stop.signal);
    const early = ended.then(() => Promise.reject(new Error("The operator has ended early")));
    const result = await Promise.race([greet(client), early]);
    stop.abort();
    await ended;
    return result;
  } finally {
    stop.abort();
    await listener.close();
  }
}

async function greet(client: Client) {
  const key = "default/hello";
  const maps = client.resource(configmaps);
  const hello = client.resource(greetings);
  const metadata = { namespace: "default", name: "hello" };
  await hello.create({ metadata, spec: { message: "Hello" } });
  const ready = await waitFor(hello, key, (object) => isConditionTrue(object, "Ready"));
  const isMessage = (message: string) =>
    waitFor(maps, key, (map) => map?.data?.["message"] === message);
  await isMessage("Hello");
  await hello.patch(key, { spec: { message: "Hi" } });
  await isMessage("Hi");
  await maps.patch(key, { data: { message: "by hand" } });
  await isMessage("Hi");
  const map = await maps.get(key);
  const owners = map.metadata.ownerReferences?.map(({ kind, name }) => ({ kind, name }));
  await hello.delete(key);
  await waitFor(maps, key, (found) => found === undefined);
  return { data: map.data, owners, reason: ready && conditionOf(ready, "Ready")?.reason };
}

/** The program of the tutorial's last page, as a process with a kubeconfig. */
async function runTutorial(server: string, signal: AbortSignal): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "tutorial-"));
  const kubeconfig = join(folder, "kubeconfig");
  const user = { name: "fake", user: {} };
  const cluster = { name: "fake", cluster: { server } };
  const context = { name: "fake", context: { cluster: "fake", user: "fake" } };
  await writeFile(
    kubeconfig,
    JSON.stringify({
      apiVersion: "v1",
      kind: "Config",
      "current-context": "fake",
      clusters: [cluster],
      users: [user],
      contexts: [context],
    }),
  );
  const child = spawn(process.execPath, ["--conditions=@listwatch/source", "main.ts"], {
    cwd: example,
    env: { ...process.env, KUBECONFIG: kubeconfig, PORT: "0" },
    stdio: "ignore",
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  signal.addEventListener("abort", () => void child.kill("SIGTERM"));
  try {
    if ((await ended) !== 0 || !signal.aborted) throw new Error("The program has failed");
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The operator that this package writes. */
function runTemplate(server: string, signal: AbortSignal): Promise<unknown> {
  const manager = createManager(createConnection({ server }), {
    name: program,
    client: { fieldManager: program },
    signals: false,
    server: false,
    telemetry: { log: silentLog },
  });
  return addController(manager).run(signal);
}

test("the written operator and that of the tutorial do the same", async () => {
  const expected = {
    data: { message: "Hi" },
    owners: [{ kind: "Greeting", name: "hello" }],
    reason: "Applied",
  };
  expect(await resultOf(runTutorial)).toEqual(expected);
  expect(await resultOf(runTemplate)).toEqual(expected);
});
