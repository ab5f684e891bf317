// Credentials in what servers and transports say, for the tests of what errors show. They need
// `inspect`, which Chromium lacks.
import { inspect } from "node:util";
import {
  Collection,
  createClient,
  createConnection,
  type Connection,
  type HeadersSource,
} from "@listwatch/client";
import { consoleLog, FailureLog } from "@listwatch/core-fifo/base";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { describe, expect, test, vi } from "vitest";

const resource = { group: "", version: "v1", resource: "pods" };
const signal = new AbortController().signal;
const clock = new SimulatedClock();

// All characters of a bearer token (RFC 6750 §2.1), some of which URLs encode.
export const token = "s3cr3t+/0123456789-abc.def~XYZ==";
const password = 'pässw0rd"with\\every:th/ng %41';
const session = "c00kie%20value+of/a=session";
const quoted = 'k3y "in\\quotes" and more';

/** One credential in one form, as a server or a transport may quote it. */
export interface Leak {
  readonly headers: HeadersSource;
  readonly text: string;
  /** The part of the text that must not be shown. */
  readonly secret: string;
  /** Whether the text may be a reason of a Status. */
  readonly isWord?: boolean;
  /** Whether the text is only recognised as a whole. */
  readonly isWhole?: boolean;
}

/** Headers are Latin-1: of other strings they contain the bytes of UTF-8. */
function latin1Of(text: string): string {
  if (/^[\0-\xff]*$/.test(text)) return text;
  return String.fromCodePoint(...new TextEncoder().encode(text));
}

function basic(): string {
  // Latin-1, like every header.
  return btoa(`user:${password}`);
}

/** Each form of a value of a header. Forms without characters to encode are not repeated. */
function formsOf(name: string, headers: HeadersSource, value: string): [string, Leak][] {
  const escaped = JSON.stringify(value).slice(1, -1);
  const forms: [string, string][] = [
    [name, value],
    [`${name}, encoded for a URL`, encodeURIComponent(value)],
    [`${name}, escaped as JSON`, escaped],
    [`${name}, in base64`, btoa(value)],
  ];
  return forms
    .filter(([, text], index) => index === 0 || text !== value)
    .map(([title, text]) => [title, leakOf(headers, text)]);
}

function leakOf(headers: HeadersSource, text: string): Leak {
  return { headers, text, secret: text };
}

const bearer = { authorization: `Bearer ${token}` };
const withBasic = { authorization: `Basic ${basic()}` };
const letters = "CorrectHorseBatteryStaple";
const utf8Password = "пароль-слон-осёл";
const withUtf8 = { authorization: `Basic ${btoa(latin1Of(`user:${utf8Password}`))}` };
const withCookies = { cookie: `theme=dark; session=${session}; other=1` };
const renewing: HeadersSource = ({ refresh }) =>
  refresh ? bearer : { authorization: "Bearer refused-0123456789" };

export const leaks: readonly [string, Leak][] = [
  ...formsOf("a bearer token", bearer, token),
  ...formsOf("a header with a bearer token", bearer, bearer.authorization),
  ...formsOf("a token of a function", () => Promise.resolve(bearer), token),
  ...formsOf("a renewed token", renewing, token),
  ...formsOf("a refused token", renewing, "refused-0123456789"),
  ...formsOf("the base64 of basic authorization", withBasic, basic()),
  ...formsOf("the password of basic authorization", withBasic, password),
  ...formsOf("user and password of basic authorization", withBasic, `user:${password}`),
  ["a password in UTF-8", leakOf(withUtf8, utf8Password)],
  ["a password in UTF-8, encoded for a URL", leakOf(withUtf8, encodeURIComponent(utf8Password))],
  ...formsOf("all cookies", withCookies, withCookies.cookie),
  ...formsOf("one cookie", withCookies, session.split("=")[0] ?? ""),
  ...formsOf("an API key", { "x-api-key": quoted }, quoted),
  // As a reason of a Status it looks like one of Kubernetes.
  ["an API key of letters", { ...leakOf({ "x-api-key": letters }, letters), isWord: true }],
  ["a short API key", { ...leakOf({ "x-api-key": "pa55word" }, "pa55word"), isWhole: true }],
  ...["http://us:%@proxy:3128/", "https:\\\\us:%@proxy", "//us:%@proxy", "socks5://us:%@proxy"].map(
    (address): [string, Leak] => [
      `a password in ${address}`,
      { headers: {}, text: address.replace("%", "pa55word"), secret: "pa55word", isWhole: true },
    ],
  ),
];

/** Names of those that are tried on each runtime: places differ by runtime, not forms. */
export const portable: ReadonlySet<string> = new Set([
  "a bearer token",
  "a renewed token",
  "the password of basic authorization",
]);

/** Answers a request such that its error could quote the text. */
type Answer = (text: string, request: Request) => Response | Promise<Response>;

function failing(make: (text: string, request: Request) => unknown): Answer {
  return (text, request) => Promise.reject(make(text, request));
}

function member(make: (text: string, request: Request) => object): Answer {
  return failing((text, request) => Object.assign(new TypeError("no"), make(text, request)));
}

function refusing(make: (text: string) => object): Answer {
  return (text) =>
    Response.json({ kind: "Status", apiVersion: "v1", code: 403, ...make(text) }, { status: 403 });
}

function nested(depth: number, text: string): Error {
  const cause = depth === 0 ? undefined : nested(depth - 1, text);
  return new Error(depth === 0 ? text : "no", { cause });
}

class Reporting extends Error {
  readonly details: string;
  constructor(details: string) {
    super("no");
    this.details = details;
  }
  toJSON(): object {
    return { details: this.details };
  }
}

const places: [string, Answer][] = [
  ["the message of an error", failing((text) => new TypeError(`Cannot send ${text}: no`))],
  ["a cause", failing((text) => new TypeError("no", { cause: new Error(text) }))],
  ["the cause of many causes", failing((text) => nested(7, text))],
  ["a cause that is a string", failing((text) => new TypeError("no", { cause: text }))],
  ["a cause that is an object", failing((text) => new TypeError("no", { cause: { a: [text] } }))],
  ["a stack", member((text) => ({ stack: `TypeError: no\n    at ${text} (file.js:1:1)` }))],
  ["a code", member((text) => ({ code: text }))],
  ["a name", member((text) => ({ name: text }))],
  ["a member", member((text) => ({ options: { list: [{ text }] } }))],
  ["a member with a symbol", member((text) => ({ [Symbol("options")]: { text } }))],
  [
    "a hidden member",
    failing((text) => Object.defineProperty(nested(0, ""), "a", { value: text })),
  ],
  ["JSON", failing((text) => new Reporting(text))],
  ["the reason of an error", member((text) => ({ reason: text, list: [{ reason: text }] }))],
  ["the reason that is an error", member((text) => ({ reason: new Error(text) }))],
  ["a map", member((text) => ({ map: new Map([[text, new Set([text])]]) }))],
  [
    "a Headers object",
    member((text) => ({ headers: new Headers({ a: encodeURI(text), b: latin1Of(text) }) })),
  ],
  ["the request", member((text, request) => ({ request, text }))],
  ["the request of a cause", failing((_, request) => nestedIn({ request }))],
  ["one of several errors", failing((text) => new AggregateError([new Error(text)], "all failed"))],
  ["a thrown string", failing((text) => `Cannot send ${text}`)],
  ["a thrown object", failing((text) => ({ message: text, code: text }))],
  ["a circle of causes", failing((text) => circle(text))],
  ["the message of a Status", refusing((message) => ({ message }))],
  ["the details of a Status", refusing((name) => ({ details: { name, kind: name, uid: name } }))],
  [
    "the causes of a Status",
    refusing((message) => ({ details: { causes: [{ message, field: message }] } })),
  ],
  [
    "the reasons of a Status",
    refusing((reason) => ({ reason, details: { causes: [{ reason }] } })),
  ],
  ["another member of a Status", refusing((text) => ({ [text]: { [text]: text } }))],
  ["an error page", (text) => new Response(`<p>${text}</p>`, { status: 502 })],
  ["an error page that is cut", (text) => new Response("x ".repeat(95) + text, { status: 502 })],
  ["a page that is not an error", (text) => new Response(`<p>${text}</p>`)],
  ["JSON that is cut", (text) => new Response(`{"kind":"${text}`)],
  [
    "an object of the wrong form",
    (text) => Response.json({ metadata: { name: [text] }, [text]: 1 }),
  ],
  ["a body that breaks off", (text) => new Response(interrupted(new TypeError(text)))],
  ["a body that breaks off with causes", (text) => new Response(interrupted(nested(3, text)))],
];

/** Places that only contain a part of the value. */
const cuts: [string, Answer][] = [
  ["the beginning in an error", failing((text) => new TypeError(`${half(text)}…`))],
  ["the end in an error", failing((text) => new TypeError(`…${text.slice(text.length / 2)}`))],
  ["the middle in a cause", failing((text) => nested(2, text.slice(3, -3)))],
  ["the beginning in a Status", refusing((text) => ({ message: `got ${half(text)}` }))],
  ["the end in details", refusing((text) => ({ details: { name: text.slice(text.length / 2) } }))],
  ["the beginning in a page", (text) => new Response(half(text), { status: 500 })],
  ["the beginning of a bad object", (text) => new Response("x ".repeat(33) + text)],
  ["the end of a broken body", (text) => new Response(interrupted(new Error(text.slice(4))))],
];

function half(text: string): string {
  return text.slice(0, Math.max(12, text.length / 2));
}

function nestedIn(members: object): Error {
  return new TypeError("no", { cause: Object.assign(new Error("no"), members) });
}

function circle(text: string): Error {
  const error = new TypeError(text, { cause: new Error("no") });
  (error.cause as Error).cause = error;
  return error;
}

function interrupted(error: unknown): ReadableStream<Uint8Array> {
  return new ReadableStream({ pull: (body) => body.error(error) });
}

function connect({ headers, text }: Leak, answer: Answer): Connection {
  return createConnection({
    server: "http://server",
    headers,
    fetch: async (request) =>
      request.headers.get("authorization") === "Bearer refused-0123456789"
        ? new Response(null, { status: 401 })
        : answer(text, request),
  });
}

/** Returns the failures of all ways to read a response. */
export async function failuresOf(connection: Connection): Promise<readonly unknown[]> {
  const pods = createClient(connection, { clock, retries: 0 }).resource(resource);
  const collection = new Collection({ connection, resource, clock });
  const calls = [
    () => pods.get("a/b"),
    () => pods.create({ metadata: { name: "b", namespace: "a" } }),
    async () => {
      for await (const batch of (await collection.list({}, { signal })).items) void batch;
    },
    async () => {
      for await (const batch of await collection.watch({}, { signal })) void batch;
    },
  ];
  const results = await Promise.allSettled(calls.map((call) => call()));
  const failures = results.filter((result) => result.status === "rejected");
  // A watch may end within an event.
  expect(failures.length).toBeGreaterThanOrEqual(3);
  return failures.map(({ reason }): unknown => reason);
}

/** Returns everything that a log, a debugger or a report could show of a failure. */
export function everythingIn(failure: unknown): string {
  const { stack, cause } = failure as Error;
  return [
    String(failure),
    stack,
    String(cause),
    cause instanceof Error ? cause.stack : "",
    JSON.stringify(failure),
    JSON.stringify(cause) ?? "",
    inspect(failure, { depth: Infinity, showHidden: true }),
    ...linesOf(failure),
  ].join("\n");
}

/** Returns the lines of a log and of the console. */
function linesOf(error: unknown): readonly string[] {
  const lines: string[] = [];
  const write = (...values: unknown[]): void => {
    lines.push(values.map((value) => inspect(value, { depth: Infinity })).join(" "));
  };
  vi.stubGlobal("console", { warn: write });
  for (const log of [consoleLog, { debug: write, info: write, warn: write, error: write }]) {
    const failures = new FailureLog({ log, clock });
    failures.report({ subject: "List and watch", error });
    failures.close();
  }
  vi.unstubAllGlobals();
  expect(lines).toHaveLength(2);
  return lines;
}

/** Length from which a piece of a secret is recognised. */
const pieceLength = 8;

/** Returns the pieces of a secret that a string shows. */
export function piecesIn(shown: string, secret: string): readonly string[] {
  return Array.from({ length: secret.length - pieceLength + 1 }, (_, start) =>
    secret.slice(start, start + pieceLength),
  ).filter((piece) => shown.includes(piece));
}

/** Defines a test for each place of each credential. */
export function testRedaction(some: readonly (readonly [string, Leak])[]): void {
  describe.each(some)("%s is not shown", (_, leak) => {
    const possible = places.filter(([place]) => leak.isWord !== true || !/reasons of/.test(place));
    test.each(leak.isWhole === true ? possible : [...possible, ...cuts])(
      "in %s",
      async (__, answer) => {
        const failures = await failuresOf(connect(leak, answer));
        expect(piecesIn(failures.map(everythingIn).join("\n"), leak.secret)).toEqual([]);
      },
    );

    test("in a warning", async () => {
      const texts: string[] = [];
      const escaped = latin1Of(leak.text).replaceAll(/["\\]/g, String.raw`\$&`);
      const headers = { warning: `299 - "old ${escaped} old"` };
      const connection = connect(leak, () => Response.json({}, { headers }));
      const onWarning = ({ text }: { readonly text: string }) => texts.push(text);
      await createClient(connection, { clock, onWarning }).resource(resource).get("a/b");
      expect(texts).toHaveLength(1);
      expect(piecesIn(texts.join("\n"), leak.secret)).toEqual([]);
    });
  });
}
