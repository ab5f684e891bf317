// Servers that close connections while the thread of the test is busy. They run in a Node process
// (`node closing-server.ts FOLDER`), so that every runtime meets the same ones. They get orders by
// files: a thread that waits for a file polls no network.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** Ways to close connections that are not in use. */
export type Closing = "reset" | "end" | "408";

export interface ClosingServers extends AsyncDisposable {
  readonly urls: Readonly<Record<"http" | "https", string>>;
  /** Closes all connections. This thread waits for it. */
  closeAll(way: Closing): void;
  /** Number of requests other than GET that have arrived. */
  countWrites(): number;
}

const isNode = !("Deno" in globalThis || "Bun" in globalThis);

export async function startClosingServers(): Promise<ClosingServers> {
  const folder = mkdtempSync(join(tmpdir(), "listwatch-closing-"));
  const child = spawn(isNode ? process.execPath : "node", [import.meta.filename, folder], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const line = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).once("line", resolve);
    child.once("close", (code) => reject(new Error(`The servers ended with ${String(code)}`)));
  });
  const order = (text: string): number => {
    write(join(folder, "order"), text);
    const done = join(folder, "done");
    const nothing = new Int32Array(new SharedArrayBuffer(4));
    while (!existsSync(done)) Atomics.wait(nothing, 0, 0, 1);
    const count = Number(readFileSync(done, "utf8"));
    rmSync(done);
    return count;
  };
  return {
    urls: JSON.parse(line) as ClosingServers["urls"],
    closeAll: (way) => void order(way),
    countWrites: () => order("count"),
    [Symbol.asyncDispose]: async () => {
      child.stdin.end();
      await closed;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Writes a file that readers see whole. */
function write(file: string, text: string): void {
  writeFileSync(`${file}.part`, text);
  renameSync(`${file}.part`, file);
}

const timeout = "HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
const closings: Readonly<Record<string, (socket: Socket) => void>> = {
  reset: (socket) => socket.resetAndDestroy(),
  end: (socket) => socket.destroy(),
  "408": (socket) => socket.end(timeout),
};

async function serve(folder: string): Promise<void> {
  let writes = 0;
  const sockets = new Set<Socket>();
  const answer: RequestListener = (request, response) => {
    if (request.method !== "GET") writes++;
    const { remotePort } = request.socket;
    request.resume().on("end", () => {
      const close = closings[String(request.url).slice(1)];
      // The socket below that of TLS.
      const socket = [...sockets].find((each) => each.remotePort === remotePort);
      if (close === undefined || socket === undefined) response.end("ok");
      else close(socket);
    });
  };
  const pem = (name: string): string =>
    readFileSync(join(import.meta.dirname, "pki", name), "utf8");
  const tls = { cert: pem("server.crt"), key: pem("server.key") };
  const listen = async (server: ReturnType<typeof createHttpServer>): Promise<number> => {
    server.keepAliveTimeout = 60_000;
    server.on("connection", (socket: Socket) => {
      sockets.add(socket);
      socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return (server.address() as AddressInfo).port;
  };
  const http = await listen(createHttpServer(answer));
  const https = await listen(createHttpsServer(tls, answer));
  const file = join(folder, "order");
  setInterval(() => {
    if (!existsSync(file)) return;
    const close = closings[readFileSync(file, "utf8")];
    rmSync(file);
    if (close !== undefined) for (const socket of sockets) close(socket);
    // After the turn in which the system has closed them.
    setImmediate(() => setImmediate(() => write(join(folder, "done"), String(writes))));
  }, 1);
  const [plain, secure] = [`http://127.0.0.1:${http}`, `https://127.0.0.1:${https}`];
  console.log(JSON.stringify({ http: plain, https: secure }));
  process.stdin.resume().on("end", () => process.exit(0));
}

const [, program, folder] = process.argv;
if (program === import.meta.filename && folder !== undefined) await serve(folder);
