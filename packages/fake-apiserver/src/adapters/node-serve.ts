import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { createInterface } from "node:readline";
import { describeError } from "@listwatch/core-fifo/base";
import type { FetchHandler } from "../api/request.ts";
import { clusterAdmin } from "../authentication/user-info.ts";
import { withControlEndpoints } from "../faults/endpoints/control-endpoints.ts";
import { timestamp } from "../base/server-clock.ts";
import { readRecording } from "../recordings/recording.ts";
import { Replay } from "../recordings/replay.ts";
import { FakeApiServer } from "../server/fake-api-server.ts";
import { createRestorer } from "../server/restore.ts";
import type { CommandOptions } from "./node-arguments.ts";
import { runChild } from "./node-child.ts";
import {
  type TemporaryKubeconfig,
  writeKubeconfig,
  writeTemporaryKubeconfig,
} from "./node-kubeconfig.ts";
import { loadManifests } from "./node-load.ts";
import {
  type Manifest,
  ManifestError,
  type ManifestListener,
  readManifests,
} from "./node-manifests.ts";
import { RequestLog } from "./node-request-log.ts";
import { loadState, replaceFile, storeState } from "./node-state-file.ts";
import { listen, type Listener } from "./node.ts";
import { isLoopback } from "./origin-guard.ts";

async function createServer(
  options: CommandOptions,
): Promise<{ readonly server: FakeApiServer; readonly loaded: number }> {
  const { authorization, bootstrap, controllers, namespaces, seed, token, validation } = options;
  const users = token === undefined ? undefined : { [token]: clusterAdmin };
  const server = new FakeApiServer({
    authorization,
    bootstrap,
    controllers,
    namespaces,
    seed,
    users,
    validation,
    webhooks: options.webhooks === "ignore" ? "ignore" : { services: options["webhook-service"] },
    services: { ranges: options["service-cidr"], nodePorts: options["service-node-port-range"] },
  });
  const restored = options.state === undefined ? undefined : await loadState(server, options.state);
  const loaded = restored ?? (await loadFiles(server, options));
  await createRestorer(server).idle();
  return { server, loaded };
}

/** Loads the files of `--crd` and `--load`. Returns the number of objects. */
async function loadFiles(server: FakeApiServer, options: CommandOptions): Promise<number> {
  const errors: ManifestError[] = [];
  const onError = (error: ManifestError): void => {
    if (options["load-errors"] === "warn") warn(error.message);
    else errors.push(error);
  };
  const listener = { onError, onSkipped: warn };
  const definitions = await readAll(options.crd, listener);
  for (const definition of definitions) {
    if (definition.kind === "CustomResourceDefinition") continue;
    onError(
      new ManifestError(definition, `Expected a CustomResourceDefinition, got ${definition.kind}`),
    );
  }
  const manifests = [
    ...definitions.filter(({ kind }) => kind === "CustomResourceDefinition"),
    ...(await readAll(options.load, listener)),
  ];
  const target = {
    ...withToken(server, options.token),
    restorer: createRestorer(server),
  };
  const loaded = await loadManifests(target, manifests, {
    onError,
    onWarning: warn,
    ...(options["load-now"] && { creationTimestamp: timestamp(Date.now()) }),
  });
  if (errors.length > 0) throw new LoadError(errors);
  return loaded;
}

async function readAll(
  paths: readonly string[],
  listener: ManifestListener,
): Promise<readonly Manifest[]> {
  const manifests: Manifest[] = [];
  for (const path of paths) manifests.push(...(await readManifests(path, listener)));
  return manifests;
}

/** All that cannot be used or is refused of what a server loads; a line for each. */
class LoadError extends Error {
  override readonly name: string = "LoadError";
  readonly errors: readonly ManifestError[];

  constructor(errors: readonly ManifestError[]) {
    super(errors.map(({ message }) => message).join("\n"));
    this.errors = errors;
  }
}

function warn(text: string): void {
  console.error(`Warning: ${text}`);
}

/** Sends requests with a token. */
function withToken(server: FetchHandler, token: string | undefined): FetchHandler {
  if (token === undefined) return { fetch: (request) => server.fetch(request) };
  return {
    fetch: (request) => {
      request.headers.set("authorization", `Bearer ${token}`);
      return server.fetch(request);
    },
  };
}

/**
 * Starts the server that the options describe. It runs until Ctrl-C, or until the command of the
 * options has ended.
 */
export async function serve(options: CommandOptions): Promise<void> {
  const { server, loaded } = await createServer(options);
  // 256 bits, so that it cannot be guessed.
  const controlToken = options["allow-remote-control"]
    ? randomBytes(32).toString("hex")
    : undefined;
  const replay = await createReplay(server, options);
  const controlled = options.control
    ? withControlEndpoints(server, { token: controlToken })
    : server;
  const handler = replay === undefined ? controlled : replayed(controlled, replay);
  const logFile = options["request-log"];
  const log = logFile === undefined ? undefined : await RequestLog.open(logFile, handler);
  const { cors, host, port, tls, token, "allow-host": allowedHosts } = options;
  const listener = await listen(log ?? handler, { port, host, allowedHosts, cors, tls });
  const kubeconfig = await provideKubeconfig(options.kubeconfig, listener, token);
  // Before the first line: who waits for it may press Ctrl-C at once.
  const ended = new AbortController();
  if (replay !== undefined) void play(replay, ended.signal);
  const { "ready-file": readyFile, state } = options;
  const stop = async (): Promise<void> => {
    ended.abort();
    if (readyFile !== undefined) await rm(readyFile, { force: true });
    await shutDown(server, listener);
    if (state !== undefined) await storeState(server, state);
    await log?.close();
    await kubeconfig.remove();
  };
  const started = { url: listener.url, kubeconfig: kubeconfig.path, loaded, controlToken };
  if (options.command.length > 0) {
    await runCommand(options, started, stop);
    return;
  }
  process.once("SIGINT", () => void stop());
  process.once("SIGTERM", () => void stop());
  if (readyFile !== undefined) await replaceFile(readyFile, `${JSON.stringify(started)}\n`);
  if (!isLoopback(host) && token === undefined) {
    warn(`every machine that reaches ${host} can read and change everything here`);
  }
  print(options, started);
}

/** Connection details of a server that has started. */
interface Started {
  readonly url: string;
  readonly kubeconfig: string;
  readonly loaded: number;
  readonly controlToken: string | undefined;
}

function print({ json }: CommandOptions, started: Started): void {
  const { controlToken, kubeconfig, loaded, url } = started;
  if (json) {
    console.log(JSON.stringify(started));
    return;
  }
  console.log(`Fake API server listening on ${url}`);
  if (loaded > 0) console.log(`Loaded ${loaded} objects`);
  if (controlToken !== undefined) console.log(`Control token: ${controlToken}`);
  console.log(`export KUBECONFIG=${kubeconfig}`);
}

/** Runs the command of the options; its exit code becomes that of this process. */
async function runCommand(
  { command, "ready-file": readyFile }: CommandOptions,
  started: Started,
  stop: () => Promise<void>,
): Promise<void> {
  try {
    if (readyFile !== undefined) await replaceFile(readyFile, `${JSON.stringify(started)}\n`);
    process.exitCode = await runChild(command, { KUBECONFIG: started.kubeconfig });
  } finally {
    await stop();
  }
}

/** Returns a replay of the recording in a file, whose state is stored. */
async function createReplay(
  server: FakeApiServer,
  { at, replay: file, speed, "replay-writes": writes }: CommandOptions,
): Promise<Replay | undefined> {
  if (file === undefined) return undefined;
  const input = createReadStream(file);
  const recording = await readRecording(createInterface({ input, crlfDelay: Infinity }));
  const replay = new Replay(server, recording, { at, speed, writes });
  await replay.load();
  return replay;
}

/** Plays the rest of a recording, and reports its end. */
async function play(replay: Replay, signal: AbortSignal): Promise<void> {
  try {
    await replay.run(signal);
    if (!signal.aborted) console.error("The replay has ended");
  } catch (error) {
    warn(`the replay has ended: ${describeError(error)}`);
  }
}

/** Sends all but the requests of the server control through the replay. */
function replayed(controlled: FetchHandler, replay: Replay): FetchHandler {
  return {
    fetch: (request) =>
      new URL(request.url).pathname.startsWith("/__control/")
        ? controlled.fetch(request)
        : replay.fetch(request),
  };
}

/** A kubeconfig at the path stays, one without a path goes with the server. */
async function provideKubeconfig(
  path: string | undefined,
  listener: Listener,
  token: string | undefined,
): Promise<TemporaryKubeconfig> {
  try {
    const { tls, url } = listener;
    const client = await tls?.issueClientCertificate();
    const contents = { url, authority: tls?.authority, client, token };
    if (path === undefined) return await writeTemporaryKubeconfig(contents);
    await writeKubeconfig(path, contents);
    return { path, remove: () => Promise.resolve() };
  } catch (error) {
    await listener.close();
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`Cannot write the kubeconfig: ${reason}`, { cause: error });
  }
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
