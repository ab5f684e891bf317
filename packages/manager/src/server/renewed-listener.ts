import { sleep, type Clock, type Log } from "@listwatch/core-fifo";
import { describeError, inRealTime } from "@listwatch/core-fifo/base";
import { findProcess } from "../process/runtime.ts";
import {
  createListenError,
  createPageServer,
  type Address,
  type Page,
  type PageRequest,
  type PageServer,
  type TlsPair,
} from "./listen.ts";

/** Paths of the certificate and the key of a server, both PEM. */
export interface TlsPaths {
  readonly certificateFile: string;
  readonly keyFile: string;
}

/** Time between two reads of the files; controller-runtime, pkg/certwatcher. */
const rereadMs = 10_000;

interface Parts {
  readonly address: Address;
  readonly answer: (request: PageRequest) => Promise<Page>;
  readonly clock: Clock;
  readonly log: Log;
}

/** The part of `node:fs/promises` that is used. */
interface NodeFiles {
  readFile(path: string, encoding: "utf8"): Promise<string>;
}

/** The part of `node:crypto` that is used. */
interface NodeCrypto {
  readonly X509Certificate: new (pem: string) => { checkPrivateKey(key: unknown): boolean };
  createPrivateKey(pem: string): unknown;
}

/**
 * Serves pages over HTTPS with a certificate from files, which are read again every 10 s. A new
 * certificate gets a new server on the same port, because servers of Bun cannot change theirs; a
 * request in progress is then cut off. Files that cannot be used leave the last certificate.
 *
 * @throws {ListwatchError} with the code `LW_LISTEN` if the files cannot be read or used, or the
 *   port is taken
 */
export async function listenWithFiles(parts: Parts, paths: TlsPaths): Promise<PageServer> {
  const first = await readPair(paths);
  const server = await createServer(parts, first, paths).listen(parts.address);
  const renewed = new RenewedListener(parts, paths, first, server);
  const stop = new AbortController();
  const ended = renewed.run(stop.signal);
  return {
    port: server.port,
    close: async () => {
      stop.abort();
      await ended;
      await renewed.close();
    },
  };
}

class RenewedListener {
  readonly #parts: Parts;
  readonly #paths: TlsPaths;
  readonly #port: number;
  #pair: TlsPair | undefined;
  #server: PageServer | undefined;

  constructor(parts: Parts, paths: TlsPaths, pair: TlsPair, server: PageServer) {
    this.#parts = parts;
    this.#paths = paths;
    this.#port = server.port;
    this.#pair = pair;
    this.#server = server;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#parts;
    while (!signal.aborted) {
      try {
        await sleep(rereadMs, { clock, signal });
      } catch {
        return;
      }
      try {
        await inRealTime(this.#reread());
      } catch (error) {
        log.warn("Certificate of metrics is not renewed", { cause: error });
      }
    }
  }

  async close(): Promise<void> {
    await this.#server?.close();
    this.#server = undefined;
  }

  async #reread(): Promise<void> {
    const next = await readPair(this.#paths);
    if (next.certificate === this.#pair?.certificate && next.key === this.#pair.key) return;
    // Throws, before the running server ends, if the two files do not belong together.
    const unbound = createServer(this.#parts, next, this.#paths);
    await this.close();
    this.#pair = undefined;
    const { host } = this.#parts.address;
    this.#server = await unbound.listen({ host, port: this.#port });
    this.#pair = next;
    this.#parts.log.info("Certificate of metrics is renewed", { port: this.#port });
  }
}

async function readPair({ certificateFile, keyFile }: TlsPaths): Promise<TlsPair> {
  const files = findProcess()?.getBuiltinModule?.("node:fs/promises");
  if (!isFiles(files)) throw unusable(certificateFile, new Error("the runtime has no files"));
  const read = async (path: string): Promise<string> => {
    try {
      return await inRealTime(files.readFile(path, "utf8"));
    } catch (error) {
      throw unusable(path, error);
    }
  };
  return { certificate: await read(certificateFile), key: await read(keyFile) };
}

function createServer({ answer }: Parts, pair: TlsPair, { certificateFile }: TlsPaths) {
  try {
    checkPair(pair);
    return createPageServer(answer, pair);
  } catch (error) {
    throw unusable(certificateFile, error);
  }
}

function unusable(path: string, cause: unknown): Error {
  const message = `Cannot serve metrics with the certificate of ${path}: ${describeError(cause)}`;
  return createListenError(message, { cause });
}

function isFiles(value: unknown): value is NodeFiles {
  return typeof value === "object" && value !== null && "readFile" in value;
}

/** Servers of Deno take a key that does not belong to the certificate, and refuse each client. */
function checkPair({ certificate, key }: TlsPair): void {
  const crypto = findProcess()?.getBuiltinModule?.("node:crypto");
  if (!isCrypto(crypto)) return;
  const parsed = new crypto.X509Certificate(certificate);
  if (parsed.checkPrivateKey(crypto.createPrivateKey(key))) return;
  throw new Error("expected the key of the certificate, got another one");
}

function isCrypto(value: unknown): value is NodeCrypto {
  return typeof value === "object" && value !== null && "X509Certificate" in value;
}
