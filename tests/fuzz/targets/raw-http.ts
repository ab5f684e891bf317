import { connect } from "node:net";
import * as fc from "fast-check";
import { httpRequest } from "../http-requests.ts";
import { startListeners, type ListeningProcess } from "../listeners/listening.ts";
import { fuzzTarget, type AnyTarget } from "../target.ts";

/** Parts of one connection. Each character is one byte. */
type Input = readonly string[];

/** Longer than a response takes on a busy machine. */
const answerLimitMs = 120_000;

/** Time in which most responses arrive. */
const answerMs = 30;

/** Time after which the rest of a response is ignored. */
const restMs = 500;

/** Returns the usual value five times out of six. */
function mostly<T>(usual: T, others: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight: 5, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: others });
}

const hosts = fc.constantFrom(
  ..."localhost 127.0.0.1:80 [::1]:1 LOCALHOST. evil.example localhost/x?y= u:p@localhost".split(
    " ",
  ),
  ..."[::1 localhost:x : * %6cocalhost localhost\\x 127.0.0.1:99999999 \u00ff".split(" "),
  "",
  " ",
  "local host",
  "a".repeat(5000),
);
const targetsOfLines = fc.oneof(
  { weight: 4, arbitrary: httpRequest.map(({ target }) => target.replaceAll("watch=", "w=")) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ..."* / // /\\ http://localhost/version http://evil.example/ ftp://localhost/ /%".split(" "),
      ..."http:// http://u@localhost/ https://localhost:443/version localhost:80 /../../x".split(
        " ",
      ),
      ..."/api/v1/pods# ?x #x //evil.example/version http://[::1/ /\u00ff\u0080 http:///".split(
        " ",
      ),
      "/a b",
      "/a\u0000b",
      "",
      `/${"x".repeat(70_000)}`,
    ),
  },
);
const versions = fc.constantFrom("HTTP/1.0", "HTTP/2.0", "HTTP/9", "");
const lines = fc.constantFrom(
  "Connection: close",
  "Connection: keep-alive, Upgrade",
  "Upgrade: websocket",
  "Upgrade: h2c",
  "Expect: 100-continue",
  "Expect: x",
  "Content-Length: 5",
  "Content-Length: -1",
  "Content-Length: 5, 5",
  "Content-Length: 99999999999999999999",
  "Transfer-Encoding: chunked",
  "Transfer-Encoding: chunked, chunked",
  "Transfer-Encoding: gzip",
  "transfer-encoding:\tchunked ",
  "Content-Type: application/json",
  "Origin: null",
  "Origin: http://evil.example",
  "X-A : b",
  "X A: b",
  ": x",
  "X",
  " folded",
  "X: \u0000",
  "X: \u00ff",
  "__proto__: x",
  "Host: other",
  `X: ${"x".repeat(20_000)}`,
  `X: ${"x".repeat(200_000)}`,
  Array.from({ length: 3000 }, (_, n) => `X-${n}: y`).join("\r\n"),
);
const chunk = fc.constantFrom(
  ...'5\r\n{"a":\r\n|0\r\n\r\n|zz\r\n|ffffffffffffffffffff\r\n|-1\r\n|5;x=y\r\nabcde\r\n'.split(
    "|",
  ),
  ..."2\r\n{}\r\n|1\nx\n|0\r\nX: y\r\n\r\n|00000000000000000005\r\nabcde\r\n".split("|"),
  ..."5\r\nab|{}|hello".split("|"),
);
const breaks = fc.constantFrom("\n", "\r", "\r\r\n");

const methods = fc.constantFrom(
  ..."POST POST POST PUT PATCH DELETE HEAD OPTIONS CONNECT TRACE PRI get G\u0000T".split(" "),
  "",
  "X".repeat(50_000),
);

const message = fc
  .record({
    method: mostly("GET", methods),
    target: targetsOfLines,
    version: mostly("HTTP/1.1", versions),
    host: fc.option(mostly("localhost", hosts), { freq: 12 }),
    headers: fc.oneof(fc.constant<readonly string[]>([]), fc.array(lines, { maxLength: 3 })),
    body: fc.oneof(fc.constant<readonly string[]>([]), fc.array(chunk, { maxLength: 3 })),
    end: mostly("\r\n", breaks),
  })
  .map(({ method, target, version, host, headers, body, end }) => {
    const head = [`${method} ${target} ${version}`, ...(host === null ? [] : [`Host: ${host}`])];
    return `${[...head, ...headers, "", ""].join(end)}${body.join("")}`;
  });

/** The beginning of a message, as sent by a client that disconnects. */
const half = fc.tuple(message, fc.nat(300)).map(([text, length]) => text.slice(0, length));
const noHttp = fc.uint8Array({ maxLength: 40 }).map((bytes) => String.fromCharCode(...bytes));

const inputs: fc.Arbitrary<Input> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: message },
    { weight: 2, arbitrary: half },
    { weight: 1, arbitrary: noHttp },
  ),
  { minLength: 1, maxLength: 4 },
);

let listeners: Promise<readonly ListeningProcess[]> | undefined;

/**
 * Returns the received bytes. Half-closes the connection a moment after the last byte, since Deno
 * treats a half-closed connection as the end of the client.
 *
 * @throws if neither a response nor the end of the connection comes in time
 */
function exchange(port: number, parts: Input): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let received = "";
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true }, () => {
    for (const part of parts) socket.write(Buffer.from(part, "latin1"));
  });
  const timers = [
    setTimeout(() => socket.end(), answerMs),
    // Responded but still open: Deno waits for the rest of an unneeded body.
    setTimeout(() => {
      if (received !== "") socket.destroy();
    }, restMs),
    setTimeout(() => {
      if (received === "") reject(new Error(`no answer and no end in ${answerLimitMs} ms`));
      socket.destroy();
    }, answerLimitMs),
  ];
  socket.on("data", (bytes) => (received += bytes.toString("latin1")));
  socket.on("end", () => socket.end());
  // A reset is an end, too.
  socket.on("error", () => undefined);
  socket.on("close", () => {
    for (const timer of timers) clearTimeout(timer);
    resolve(received);
  });
  return promise;
}

const controlPath = "/api/v1/namespaces/fuzz-control/configmaps/x";

async function checkOn({ ended, port, runtime }: ListeningProcess, parts: Input): Promise<void> {
  const answer = await exchange(port, parts).catch((error: unknown) => {
    throw new Error(`${runtime}: ${String(error)}`, { cause: error });
  });
  if (answer !== "" && !/^HTTP\/1\.[01] [1-5]\d\d/.test(answer)) {
    throw new Error(`${runtime} answered ${JSON.stringify(answer.slice(0, 200))}`);
  }
  // Deno answers with 502 for a handler that rejects.
  if (/^HTTP\/1\.[01] (?:502|500[^]*Internal error occurred)/.test(answer)) {
    throw new Error(`${runtime} answered ${answer}`);
  }
  const end = ended();
  if (end !== undefined) throw new Error(`${runtime} ended with ${end}`);
  const control = await fetch(`http://127.0.0.1:${port}${controlPath}`, {
    signal: AbortSignal.timeout(answerLimitMs),
  });
  const text = await control.text();
  if (control.status !== 200 || !text.includes('"name":"x"')) {
    throw new Error(`${runtime} does not serve any more: ${control.status} ${text}`);
  }
}

/** Bytes on sockets of listeners: a response or an end in time, and the next request is served. */
export const rawHttp: AnyTarget = fuzzTarget({
  name: "raw-http",
  inputs,
  check: async (parts) => {
    const running = await (listeners ??= startListeners());
    await Promise.all(running.map((listener) => checkOn(listener, parts)));
  },
  close: async () => {
    const running = await listeners;
    listeners = undefined;
    await Promise.all((running ?? []).map(({ close }) => close()));
  },
});
