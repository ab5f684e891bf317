import { randomBytes } from "node:crypto";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../support/free-port.ts";
import type { Binaries } from "./binaries.ts";
import { ServerProcess } from "./server-process.ts";

/**
 * Certificates of a separate authority, shared with the client's tests: for a server at 127.0.0.1,
 * and for clients in the group system:masters.
 */
const pki = join(import.meta.dirname, "../../packages/client/test/support/pki");
const issuer = "https://kubernetes.default.svc";
// On two busy cores the API server takes up to a minute to start for the first time.
const startMs = 180_000;

/** etcd and kube-apiserver on 127.0.0.1, with TLS, RBAC, client certificates and tokens. */
export class ControlPlane implements AsyncDisposable {
  /** A folder for files of this cluster, which is removed with it. */
  readonly folder: string;
  readonly server: string;
  readonly pki: string = pki;
  /** The issuer of service account tokens, which the server's key signs. */
  readonly issuer: string = issuer;
  readonly #binaries: Binaries;
  readonly #ports: Ports;
  #tokens: ReadonlyMap<string, TokenUser & { readonly token: string }> = new Map();
  #etcd: ServerProcess | undefined;
  #apiServer: ServerProcess | undefined;

  private constructor(binaries: Binaries, ports: Ports) {
    this.#binaries = binaries;
    this.#ports = ports;
    this.server = `https://127.0.0.1:${ports.apiServer}`;
    this.folder = mkdtempSync(join(tmpdir(), "listwatch-cluster-"));
    process.once("exit", this.#removeFolder);
  }

  /** Starts both and waits until the API server is ready. */
  static async start(
    binaries: Binaries,
    users: readonly TokenUser[] = [],
    moreFlags: Readonly<Record<string, string>> = {},
  ): Promise<ControlPlane> {
    const [etcd, peer, apiServer] = await Promise.all([freePort(), freePort(), freePort()]);
    const plane = new ControlPlane(binaries, { etcd, peer, apiServer });
    plane.replaceTokens(users);
    await plane.startEtcd();
    // So that the API server does not know the first revisions, as in an older cluster.
    const [key, value] = ["listwatch", "test"].map((text) => Buffer.from(text).toString("base64"));
    for (let write = 0; write < 5; write++) await plane.#askEtcd("put", { key, value });
    await plane.startApiServer(moreFlags);
    return plane;
  }

  tokenOf(name: string): string {
    const user = this.#tokens.get(name);
    if (user === undefined) throw new Error(`There is no token for ${name}`);
    return user.token;
  }

  /** Makes a token for each user. From its next start on, the API server accepts only these. */
  replaceTokens(users: readonly TokenUser[]): void {
    this.#tokens = new Map(
      users.map((user) => [user.name, { ...user, token: randomBytes(16).toString("hex") }]),
    );
  }

  async startEtcd(): Promise<void> {
    const client = `http://127.0.0.1:${this.#ports.etcd}`;
    const peer = `http://127.0.0.1:${this.#ports.peer}`;
    const flags = {
      "data-dir": join(this.folder, "etcd"),
      "listen-client-urls": client,
      "advertise-client-urls": client,
      "listen-peer-urls": peer,
      "initial-advertise-peer-urls": peer,
      "initial-cluster": `default=${peer}`,
      "log-level": "warn",
      // A killed process loses no data that it has passed to the system.
      "unsafe-no-fsync": "true",
    };
    this.#etcd = this.#start(this.#binaries.etcd, flags, "etcd.log");
    await this.#etcd.until(async () => (await fetch(`${client}/health`)).ok, startMs);
  }

  async killEtcd(): Promise<void> {
    await this.#etcd?.kill();
  }

  async startApiServer(moreFlags: Readonly<Record<string, string>> = {}): Promise<void> {
    const tokens = join(this.folder, "tokens.csv");
    const lines = Array.from(this.#tokens.values(), ({ groups = [], name, token }) => {
      return `${token},${name},${name},"${groups.join(",")}"\n`;
    });
    writeFileSync(tokens, lines.join(""), { mode: 0o600 });
    const flags = {
      "etcd-servers": `http://127.0.0.1:${this.#ports.etcd}`,
      "bind-address": "127.0.0.1",
      "secure-port": String(this.#ports.apiServer),
      "endpoint-reconciler-type": "none",
      "cert-dir": join(this.folder, "certificates"),
      "tls-cert-file": join(pki, "server.crt"),
      "tls-private-key-file": join(pki, "server.key"),
      "client-ca-file": join(pki, "ca.crt"),
      "token-auth-file": tokens,
      "service-account-issuer": issuer,
      "service-account-key-file": join(pki, "server.crt"),
      "service-account-signing-key-file": join(pki, "server.key"),
      "authorization-mode": "RBAC",
      // No controller creates the service accounts of namespaces.
      "disable-admission-plugins": "ServiceAccount",
      "kubelet-preferred-address-types": "InternalIP",
      ...moreFlags,
    };
    this.#apiServer = this.#start(this.#binaries.kubeApiServer, flags, "kube-apiserver.log");
    await this.#apiServer.until(() => this.#isReady(), startMs);
  }

  async killApiServer(): Promise<void> {
    await this.#apiServer?.kill();
  }

  /** Compacts the history up to the current revision, and returns that. */
  async compact(): Promise<number> {
    const { header } = await this.#askEtcd("range", { key: "AA==", limit: 1 });
    const revision = Number(header?.revision);
    await this.#askEtcd("compaction", { revision, physical: true });
    return revision;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.killApiServer();
    await this.killEtcd();
    process.off("exit", this.#removeFolder);
    this.#removeFolder();
  }

  #start(command: string, flags: Readonly<Record<string, string>>, log: string): ServerProcess {
    const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
    const path = join(this.folder, log);
    appendFileSync(path, `--- ${command} ${args.join(" ")}\n`);
    return new ServerProcess(command, args, path);
  }

  readonly #removeFolder = (): void => {
    // A process that was just killed may still have a file open.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  };

  /** Requested without the library under test. */
  #isReady(): Promise<boolean> {
    const [ca, cert, key] = ["ca.crt", "client.crt", "client.key"].map((name) =>
      readFileSync(join(pki, name)),
    );
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    request(`${this.server}/readyz`, { ca, cert, key, agent: false }, (response) => {
      response.resume().once("error", reject);
      resolve(response.statusCode === 200);
    })
      .once("error", reject)
      .end();
    return promise;
  }

  /** Calls etcd's JSON API: etcd.io/docs, "gRPC gateway". */
  async #askEtcd(method: string, body: object): Promise<EtcdAnswer> {
    const url = `http://127.0.0.1:${this.#ports.etcd}/v3/kv/${method}`;
    const response = await fetch(url, { method: "POST", body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`etcd, ${method}: ${response.status}`);
    return (await response.json()) as EtcdAnswer;
  }
}

export interface TokenUser {
  readonly name: string;
  readonly groups?: readonly string[];
}

interface Ports {
  readonly etcd: number;
  readonly peer: number;
  readonly apiServer: number;
}

interface EtcdAnswer {
  readonly header?: { readonly revision?: string };
}
