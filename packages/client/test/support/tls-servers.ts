import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

export function pem(file: string): string {
  return readFileSync(join(import.meta.dirname, "pki", file), "utf8");
}

export interface TlsServers extends AsyncDisposable {
  /** Its certificate is for its address. */
  readonly server: string;
  /** Its certificate is for `kubernetes.test` only. */
  readonly named: string;
  readonly proxy: string;
  /** Without TLS. */
  readonly plain: string;
  readonly socketPath: string;
  /** Servers with certificates of authorities of each form. */
  readonly anchored: Readonly<Record<AnchoredServer, string>>;
}

/**
 * Servers by their certificate: with the authority that issued it, without it, another one of the
 * same authority, self-signed, self-signed for clients, expired, of an authority of version 1.
 */
export type AnchoredServer =
  | "chain"
  | "bare"
  | "sibling"
  | "own"
  | "ownForClients"
  | "expired"
  | "old";

const node = "Deno" in globalThis || "Bun" in globalThis ? "node" : process.execPath;

export async function startTlsServers(): Promise<TlsServers> {
  const folder = mkdtempSync(join(tmpdir(), "listwatch-tls-"));
  const socketPath = join(folder, "socket");
  const program = join(import.meta.dirname, "tls-server.ts");
  const child = spawn(node, [program, socketPath], { stdio: ["pipe", "pipe", "inherit"] });
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const line = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).once("line", resolve);
    child.once("close", (code) => reject(new Error(`The servers ended with ${String(code)}`)));
  });
  const ports = JSON.parse(line) as Record<
    AnchoredServer | "server" | "named" | "proxy" | "plain",
    number
  >;
  const secure = (name: keyof typeof ports): string => `https://127.0.0.1:${ports[name]}`;
  return {
    server: secure("server"),
    named: secure("named"),
    anchored: {
      chain: secure("chain"),
      bare: secure("bare"),
      sibling: secure("sibling"),
      own: secure("own"),
      ownForClients: secure("ownForClients"),
      expired: secure("expired"),
      old: secure("old"),
    },
    plain: `http://127.0.0.1:${ports.plain}`,
    proxy: `http://127.0.0.1:${ports.proxy}`,
    socketPath,
    [Symbol.asyncDispose]: async () => {
      child.stdin.end();
      await closed;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
