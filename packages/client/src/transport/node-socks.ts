import { once } from "node:events";
import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { connect as connectTcp, isIP, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { connect as connectTls, type ConnectionOptions } from "node:tls";
import { describeAddress } from "../http/address.ts";

/** Time limit from the first byte to the proxy until it has reached the server, in milliseconds. */
const limitMs = 30_000;

/** An agent's description of the connection to create. */
type Wanted = ConnectionOptions & { readonly host?: string | null; readonly port?: unknown };
type OnConnection = (error: Error | null, connection: Duplex) => void;

/** An agent whose connections go through a SOCKS proxy. */
export class SocksHttpAgent extends HttpAgent {
  readonly #proxy: URL;

  constructor(proxy: string, options: object) {
    super(options);
    this.#proxy = new URL(proxy);
  }

  override createConnection(wanted: Wanted, onConnection?: OnConnection): undefined {
    open(this.#proxy, wanted, 80, (socket) => socket, onConnection);
  }
}

/** An agent whose TLS connections go through a SOCKS proxy. */
export class SocksHttpsAgent extends HttpsAgent {
  readonly #proxy: URL;

  constructor(proxy: string, options: object) {
    super(options);
    this.#proxy = new URL(proxy);
  }

  override createConnection(wanted: Wanted, onConnection?: OnConnection): undefined {
    const { ALPNProtocols, allowPartialTrustChain, ca, cert, host, key } = wanted;
    const { passphrase, rejectUnauthorized, servername } = wanted;
    const material = { allowPartialTrustChain, ca, cert, host, key, passphrase };
    const given = { ...material, ALPNProtocols, rejectUnauthorized, servername };
    const options = Object.entries(given).filter(([, value]) => value !== undefined);
    const secure = (socket: Socket): Duplex =>
      connectTls({ ...Object.fromEntries(options), socket });
    open(this.#proxy, wanted, 443, secure, onConnection);
  }
}

function open(
  proxy: URL,
  { host, port }: Wanted,
  defaultPort: number,
  wrap: (socket: Socket) => Duplex,
  onConnection: OnConnection = () => undefined,
): void {
  const socket = connectTcp(Number(proxy.port || 1080), withoutBrackets(proxy.hostname));
  const limit = setTimeout(() => {
    socket.destroy(failure(proxy, "it does not answer in time", "ETIMEDOUT"));
  }, limitMs);
  negotiate(socket, proxy, withoutBrackets(host ?? "localhost"), Number(port) || defaultPort)
    .then(() => wrap(socket))
    .finally(() => clearTimeout(limit))
    .then(
      (connection) => onConnection(null, connection),
      (error: unknown) => {
        socket.on("error", () => undefined).destroy();
        const cause = error instanceof Error ? error : failure(proxy, "it failed");
        onConnection(cause, socket);
      },
    );
}

/** RFC 1928, with the password of RFC 1929. */
async function negotiate(socket: Socket, proxy: URL, host: string, port: number): Promise<void> {
  await once(socket, "connect");
  socket.setNoDelay(true);
  const hasPassword = proxy.username !== "";
  socket.write(Uint8Array.of(5, hasPassword ? 2 : 1, 0, ...(hasPassword ? [2] : [])));
  const [version, method] = await take(socket, 2, proxy);
  if (version !== 5) throw failure(proxy, "it is no SOCKS5 proxy");
  if (method === 2 && hasPassword) await signIn(socket, proxy);
  else if (method !== 0) throw failure(proxy, "it wants credentials of another kind");
  socket.write(Uint8Array.of(5, 1, 0, ...addressBytes(host, proxy), port >> 8, port & 255));
  const [, reply = 1, , type = 1, first = 0] = await take(socket, 5, proxy);
  if (reply !== 0) throw refusal(proxy, reply);
  // The address from which the proxy connects is not used. Its first byte has been read.
  const rest = type === 4 ? 15 : type === 3 ? first : 3;
  await take(socket, rest + 2, proxy);
}

async function signIn(socket: Socket, proxy: URL): Promise<void> {
  const parts = [proxy.username, proxy.password].map((part) => bytesOf(decodeURIComponent(part)));
  if (parts.some(({ length }) => length > 255)) {
    throw failure(proxy, "its user name or password is longer than 255 bytes");
  }
  const [name = new Uint8Array(), password = new Uint8Array()] = parts;
  socket.write(Uint8Array.of(1, name.length, ...name, password.length, ...password));
  const [, status] = await take(socket, 2, proxy);
  if (status !== 0) throw failure(proxy, "it refuses the user name or the password");
}

function addressBytes(host: string, proxy: URL): readonly number[] {
  if (isIP(host) === 4) return [1, ...host.split(".").map(Number)];
  if (isIP(host) === 6) return [4, ...ipv6Bytes(host)];
  const name = bytesOf(host);
  if (name.length > 255) throw failure(proxy, "the name of the server is longer than 255 bytes");
  return [3, name.length, ...name];
}

/** Converts `2001:db8::1`, in the normal form of a URL, to sixteen bytes. */
function ipv6Bytes(address: string): readonly number[] {
  const [head = "", tail] = address.split("::");
  const groupsOf = (text: string): number[] =>
    text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
  const [before, after] = [groupsOf(head), groupsOf(tail ?? "")];
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0);
  return [...before, ...zeros, ...after].flatMap((group) => [group >> 8, group & 255]);
}

/** Reads a number of bytes. Later bytes stay for the next reader. */
async function take(socket: Socket, count: number, proxy: URL): Promise<Uint8Array> {
  for (;;) {
    const piece: unknown = socket.read(count);
    if (piece instanceof Uint8Array && piece.length === count) return piece;
    if (piece !== null || socket.readableEnded || socket.destroyed) {
      throw failure(proxy, "it closes the connection", "ECONNRESET");
    }
    await Promise.race([once(socket, "readable"), once(socket, "close")]);
  }
}

const replies: Readonly<Record<number, readonly [reason: string, code?: string]>> = {
  2: ["its rules do not allow the connection"],
  3: ["it cannot reach the network", "ENETUNREACH"],
  4: ["it cannot reach the server", "EHOSTUNREACH"],
  5: ["the server refuses the connection", "ECONNREFUSED"],
  6: ["the server does not answer", "ETIMEDOUT"],
};

function refusal(proxy: URL, reply: number): Error {
  const [reason, code] = replies[reply] ?? [`it answers with ${reply}`];
  return failure(proxy, reason, code);
}

function failure(proxy: URL, reason: string, code?: string): Error {
  const error = new Error(`The SOCKS proxy ${describeAddress(proxy.href)}: ${reason}`);
  return code === undefined ? error : Object.assign(error, { code });
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[|\]$/g, "");
}
