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
}

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
  const ports = JSON.parse(line) as Record<"server" | "named" | "proxy" | "plain", number>;
  return {
    server: `https://127.0.0.1:${ports.server}`,
    named: `https://127.0.0.1:${ports.named}`,
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
