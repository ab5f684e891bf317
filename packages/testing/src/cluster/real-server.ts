import type { Fetch } from "@listwatch/fake-apiserver";
import { recordOf, stringOf } from "@listwatch/core-fifo/base";
import { UnsupportedError } from "./errors.ts";

// Parts of Node's modules, which Deno and Bun have as well. They are looked up at run time, so that
// bundles for browsers need no replacement for them.
interface Child {
  readonly exitCode: number | null;
  once(event: "error" | "exit", listener: (reason: unknown) => void): void;
  kill(signal: string): void;
}
interface Incoming {
  readonly statusCode?: number;
  readonly statusMessage?: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}
interface Outgoing {
  once(event: "error", listener: (error: unknown) => void): void;
  end(body?: Uint8Array): void;
}
interface TcpServer {
  listen(port: number, host: string, listener: () => void): void;
  address(): unknown;
  close(listener: () => void): void;
}
interface Modules {
  readonly child_process: {
    spawn(command: string, args: readonly string[], options: object): Child;
  };
  readonly crypto: {
    generateKeyPairSync(
      type: "rsa",
      options: object,
    ): { readonly publicKey: string; readonly privateKey: string };
    randomBytes(count: number): { toString(encoding: "hex"): string };
  };
  readonly fs: {
    existsSync(path: string): boolean;
    mkdtempSync(prefix: string): string;
    openSync(path: string, flags: "a"): number;
    closeSync(file: number): void;
    readFileSync(path: string, encoding: "utf8"): string;
    rmSync(path: string, options: object): void;
    writeFileSync(path: string, text: string, options: object): void;
  };
  readonly https: {
    request(url: string, options: object, listener: (incoming: Incoming) => void): Outgoing;
  };
  readonly net: { createServer(): TcpServer };
  readonly os: { tmpdir(): string };
  readonly path: { join(...parts: readonly string[]): string };
  readonly process: {
    once(event: "exit", listener: () => void): void;
    off(event: "exit", listener: () => void): void;
  };
  readonly stream: {
    readonly Readable: { toWeb(stream: Incoming): ReadableStream<Uint8Array<ArrayBuffer>> };
  };
}

/** etcd and kube-apiserver as processes on 127.0.0.1, with the rights of an administrator. */
export interface RealServer {
  /** Sends a request as an administrator. */
  readonly fetch: Fetch;
  /** Kills both processes, and removes their files. */
  stop(): Promise<void>;
}

/** On two busy cores the API server takes up to a minute to start for the first time. */
const startMs = 180_000;
const pollMs = 100;

/**
 * Starts the programs of `KUBEBUILDER_ASSETS`, and waits until the API server is ready.
 *
 * @throws {UnsupportedError} on a runtime without processes, and without the programs
 */
export async function startRealServer(): Promise<RealServer> {
  const { crypto, fs, os, path } = modules;
  const assets = assetsFolder();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "listwatch-test-cluster-"));
  const processes = new Processes(folder);
  try {
    const [etcdPort, peerPort, port] = [await freePort(), await freePort(), await freePort()];
    const [client, peer] = [etcdPort, peerPort].map((each) => `http://127.0.0.1:${each}`);
    processes.start(path.join(assets, "etcd"), {
      "data-dir": path.join(folder, "etcd"),
      "listen-client-urls": client ?? "",
      "advertise-client-urls": client ?? "",
      "listen-peer-urls": peer ?? "",
      "initial-advertise-peer-urls": peer ?? "",
      "initial-cluster": `default=${peer}`,
      "log-level": "warn",
      "unsafe-no-fsync": "true",
    });
    const token = crypto.randomBytes(16).toString("hex");
    processes.start(path.join(assets, "kube-apiserver"), {
      "etcd-servers": client ?? "",
      "bind-address": "127.0.0.1",
      "advertise-address": "127.0.0.1",
      "secure-port": String(port),
      "endpoint-reconciler-type": "none",
      "cert-dir": folder,
      "authorization-mode": "RBAC",
      // No controller creates the service accounts of namespaces.
      "disable-admission-plugins": "ServiceAccount",
      ...keyFlags(folder, token),
    });
    const server = `https://127.0.0.1:${port}`;
    const send = fetchOf(server, token, path.join(folder, "apiserver.crt"));
    await processes.until(async () => (await send(new Request(`${server}/readyz`))).ok);
    return { fetch: send, stop: () => processes.stop() };
  } catch (error) {
    await processes.stop();
    throw error;
  }
}

function assetsFolder(): string {
  const environment = recordOf(recordOf(Reflect.get(globalThis, "process"))["env"]);
  const assets = stringOf(environment["KUBEBUILDER_ASSETS"]);
  const { fs, path } = modules;
  const isThere = ["etcd", "kube-apiserver"].every(
    (name) => assets !== "" && fs.existsSync(path.join(assets, name)),
  );
  if (isThere) return assets;
  const found = assets === "" ? "the variable is not set" : `${assets} has not both`;
  throw new UnsupportedError(
    'Cannot start a cluster with server: "real": expected a folder with etcd and kube-apiserver ' +
      `in KUBEBUILDER_ASSETS, ${found}`,
  );
}

function keyFlags(folder: string, token: string): Readonly<Record<string, string>> {
  const { crypto, fs, path } = modules;
  const { privateKey, publicKey } = crypto.generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const write = (name: string, text: string): string => {
    const file = path.join(folder, name);
    fs.writeFileSync(file, text, { mode: 0o600 });
    return file;
  };
  return {
    "service-account-issuer": "https://kubernetes.default.svc",
    "service-account-key-file": write("accounts.pub", publicKey),
    "service-account-signing-key-file": write("accounts.key", privateKey),
    "token-auth-file": write("tokens.csv", `${token},admin,admin,"system:masters"\n`),
  };
}

/** Two processes with their logs in a folder. */
class Processes {
  readonly #folder: string;
  readonly #children: { readonly child: Child; readonly ended: Promise<unknown> }[] = [];

  constructor(folder: string) {
    this.#folder = folder;
    modules.process.once("exit", this.#killAll);
  }

  start(command: string, flags: Readonly<Record<string, string>>): void {
    const { child_process, fs } = modules;
    const log = fs.openSync(this.#log, "a");
    const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
    const child = child_process.spawn(command, args, { stdio: ["ignore", log, log] });
    fs.closeSync(log);
    const ended = new Promise((resolve) => {
      child.once("exit", resolve);
      child.once("error", resolve);
    });
    this.#children.push({ child, ended });
  }

  /** Polls until ready. Throws with the end of the logs if a process ends first. */
  async until(isReady: () => Promise<boolean>): Promise<void> {
    const deadlineMs = Date.now() + startMs;
    while (!(await isReady().catch(() => false))) {
      const hasEnded = this.#children.some(({ child }) => child.exitCode !== null);
      if (hasEnded || Date.now() > deadlineMs) {
        const lines = modules.fs.readFileSync(this.#log, "utf8").trimEnd().split("\n").slice(-20);
        const what = hasEnded ? "has ended" : `is not ready within ${startMs / 1000} s`;
        throw new Error(`The API server ${what}; the end of its log:\n${lines.join("\n")}`);
      }
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  }

  async stop(): Promise<void> {
    modules.process.off("exit", this.#killAll);
    this.#killAll();
    await Promise.all(this.#children.map(({ ended }) => ended));
    // A process that was just killed may still have a file open.
    modules.fs.rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  get #log(): string {
    return modules.path.join(this.#folder, "log");
  }

  readonly #killAll = (): void => {
    for (const { child } of this.#children) child.kill("SIGKILL");
  };
}

function freePort(): Promise<number> {
  const server = modules.net.createServer();
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const { port } = recordOf(server.address());
      server.close(() => resolve(Number(port)));
    });
  });
}

/** Sends requests with a token, to a server that has made its own certificate. */
function fetchOf(server: string, token: string, certificate: string): Fetch {
  let ca: string | undefined;
  return async (input, init) => {
    const request = new Request(input, init);
    const { https, stream, fs } = modules;
    ca ??= fs.readFileSync(certificate, "utf8");
    const { pathname, search } = new URL(request.url);
    const headers = { ...Object.fromEntries(request.headers), authorization: `Bearer ${token}` };
    const body = new Uint8Array(await request.arrayBuffer());
    const { method, signal } = request;
    return new Promise((resolve, reject) => {
      const options = { method, headers, ca, signal, agent: false };
      const outgoing = https.request(`${server}${pathname}${search}`, options, (incoming) => {
        const { headers: received, statusCode: status = 0, statusMessage = "" } = incoming;
        const answered = Object.entries(received).map(([name, value]): [string, string] => [
          name,
          String(value),
        ]);
        const content = [204, 304].includes(status) ? null : stream.Readable.toWeb(incoming);
        resolve(new Response(content, { status, statusText: statusMessage, headers: answered }));
      });
      outgoing.once("error", reject);
      outgoing.end(body.length === 0 ? undefined : body);
    });
  };
}

// The types above are those parts of Node's that are used here.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const modules = new Proxy({} as Modules, {
  get: (_, name) => {
    const load: unknown = recordOf(Reflect.get(globalThis, "process"))["getBuiltinModule"];
    const found: unknown = typeof load === "function" ? load(`node:${String(name)}`) : undefined;
    if (found !== undefined) return found;
    throw new UnsupportedError("Cannot start a real API server on a runtime without processes");
  },
});
