#!/usr/bin/env node
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { withControlEndpoints } from "../faults/endpoints/control-endpoints.ts";
import { FakeApiServer } from "../server/fake-api-server.ts";
import { writeKubeconfig } from "./node-kubeconfig.ts";
import { loadManifests } from "./node-load.ts";
import { ManifestError, readManifests } from "./node-manifests.ts";
import { listen, type Listener } from "./node.ts";

// Where kubectl looks when it has no kubeconfig.
const defaultPort = 8080;

const usage = `Usage: fake-apiserver [options]

An in-memory Kubernetes API server.

  --port N           port to listen on, 0 = any free one (default ${defaultPort})
  --host ADDRESS     address to listen on (default 127.0.0.1)
  --kubeconfig PATH  where to write a kubeconfig (default: in the folder for temporary files);
                     a file that another program wrote is never written over: then the server
                     does not start
  --load PATH        create the objects of a YAML or JSON file, or of all such files in a folder;
                     may be repeated
  --crd FILE         create the CustomResourceDefinitions of a file; may be repeated
  --seed TEXT        uids and generated names repeat from run to run
  --control          serve the server control for tests under /__control/
  --help             print this`;

/** A mistake in the command line. */
class UsageError extends Error {
  override readonly name: string = "UsageError";
}

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        port: { type: "string", default: String(defaultPort) },
        host: { type: "string", default: "127.0.0.1" },
        kubeconfig: { type: "string" },
        load: { type: "string", multiple: true, default: [] },
        crd: { type: "string", multiple: true, default: [] },
        seed: { type: "string" },
        control: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    });
    const port = Number(values.port);
    if (!/^\d+$/.test(values.port) || port > 65535) {
      throw new UsageError(`Expected --port from 0 to 65535, got ${values.port}`);
    }
    return { ...values, port };
  } catch (error) {
    throw error instanceof Error ? new UsageError(error.message.split("\n")[0]) : error;
  }
}

async function createServer(
  options: ReturnType<typeof readArguments>,
): Promise<{ readonly server: FakeApiServer; readonly loaded: number }> {
  const server = new FakeApiServer(options.seed === undefined ? {} : { seed: options.seed });
  let loaded = 0;
  for (const file of options.crd) {
    const manifests = await readManifests(file);
    const other = manifests.find(({ kind }) => kind !== "CustomResourceDefinition");
    if (other !== undefined) {
      throw new ManifestError(
        file,
        other.line,
        `Expected a CustomResourceDefinition, got ${other.kind}`,
      );
    }
    loaded += await loadManifests(server, manifests);
  }
  const manifests = await Promise.all(options.load.map(readManifests));
  loaded += await loadManifests(server, manifests.flat());
  return { server, loaded };
}

async function run(): Promise<void> {
  const options = readArguments();
  if (options.help) {
    console.log(usage);
    return;
  }
  const { server, loaded } = await createServer(options);
  const handler = options.control ? withControlEndpoints(server) : server;
  const listener = await listen(handler, { port: options.port, host: options.host });
  const temporary = join(tmpdir(), `fake-apiserver-${listener.port}.kubeconfig`);
  const kubeconfig = options.kubeconfig ?? temporary;
  await writeKubeconfig(kubeconfig, listener.url).catch(async (error: unknown) => {
    await listener.close();
    throw new Error(`Cannot write the kubeconfig: ${String(error)}`, { cause: error });
  });
  // Before the first line: who waits for it may press Ctrl-C at once.
  const stop = async (): Promise<void> => {
    await shutDown(server, listener);
    // This file was not asked for; one that was asked for stays.
    if (options.kubeconfig === undefined) await rm(temporary, { force: true });
  };
  process.once("SIGINT", () => void stop());
  process.once("SIGTERM", () => void stop());
  console.log(`Fake API server listening on ${listener.url}`);
  if (loaded > 0) console.log(`Loaded ${loaded} objects`);
  console.log(`export KUBECONFIG=${kubeconfig}`);
}

async function shutDown(server: FakeApiServer, listener: Listener): Promise<void> {
  // Watches end cleanly, as those of a real server do, and their last chunk gets out before the
  // sockets close.
  server.control.shutdown();
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  await listener.close();
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ("code" in error && "address" in error && "port" in error) {
    const where = `${String(error.address)}:${String(error.port)}`;
    if (error.code === "EADDRINUSE") return `Cannot listen on ${where}: the port is taken`;
    return `Cannot listen on ${where}: ${String(error.code)}`;
  }
  return error.message;
}

try {
  await run();
} catch (error) {
  console.error(`fake-apiserver: ${explain(error)}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
