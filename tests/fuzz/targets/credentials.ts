import * as fc from "fast-check";
import { inspect } from "node:util";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { Collection, createClient, createConnection } from "@listwatch/client";
import { fuzzTarget, type AnyTarget } from "../target.ts";

const secret = "s3cr3tS3CR3Ts3cr3t";

/** Characters between and around the parts of an address. */
const noise = fc.string({
  unit: fc.constantFrom(...Array.from(" \t\n\r\"'@:%<>{}|^`éß＠")),
  maxLength: 2,
});
const slashes = fc.string({ unit: fc.constantFrom("/", "/", "\\", "\t", "\n"), maxLength: 4 });
const scheme = fc.constantFrom(
  "https:",
  "http:",
  "HTTPS:",
  "h\tttps:",
  " https:",
  "wss:",
  "ftp:",
  "",
);

const inputs = fc.record({
  scheme,
  slashes,
  user: noise.map((text) => `user${text}`),
  before: noise,
  after: noise,
  host: fc.constantFrom("host", "host:6443", "[::1]", "ho st", "host:port", "127.1", "host/a@b"),
  header: fc.constantFrom("authorization", "x-api-key", "cookie", "x-any"),
  prefix: fc.constantFrom("", "Bearer ", "Basic ", "token=", "a b ", "é"),
  suffix: fc.constantFrom("", "", "\nx", "\u0000", "…", "; b=c", '"', "\\"),
  way: fc.constantFrom("page", "error page", "Status", "thrown", "cause", "member", "location"),
  padding: fc.nat(100),
});
type Input = typeof inputs extends fc.Arbitrary<infer Value> ? Value : never;

function everythingIn(value: unknown): string {
  const stack = value instanceof Error ? value.stack : "";
  return `${inspect(value, { depth: Infinity, showHidden: true })}\n${String(value)}\n${stack}`;
}

async function outcomesOf(server: string, headers: Record<string, string>, input: Input) {
  const outcomes: unknown[] = [];
  const clock = new SimulatedClock();
  const address = addressOf(input);
  const resource = { group: "", version: "v1", resource: "pods" };
  try {
    const connection = createConnection({
      server,
      headers,
      fetch: (request) => answer(request, address, input),
    });
    const collection = new Collection({ connection, resource, clock });
    const pods = createClient(connection, { clock }).resource(resource);
    outcomes.push(connection, collection, pods);
    const { signal } = new AbortController();
    const catching = (error: unknown): void => void outcomes.push(error);
    const got = pods.get("a/b").catch(catching);
    // Failures are retried for this long.
    await clock.advance(2 * 60_000);
    await got;
    await read(collection.list({}, { signal }).then(({ items }) => items)).catch(catching);
    await read(collection.watch({}, { signal })).catch(catching);
  } catch (error) {
    outcomes.push(error);
  }
  return outcomes;
}

async function read(batches: Promise<AsyncIterable<unknown>>): Promise<void> {
  for await (const batch of await batches) void batch;
}

function answer(request: Request, address: string, { way, padding }: Input): Promise<Response> {
  const echo = `${" ".repeat(padding)}${[...request.headers].join("\n")} ${address}`;
  if (way === "page") return Promise.resolve(new Response(echo));
  if (way === "error page") return Promise.resolve(new Response(echo, { status: 502 }));
  if (way === "location") {
    // A header only allows Latin-1 without line breaks.
    const location = address.replaceAll(/[^\x20-\x7e\x80-\xff]/g, "");
    return Promise.resolve(new Response(null, { status: 302, headers: { location } }));
  }
  if (way === "Status") {
    const status = { kind: "Status", message: echo, details: { causes: [{ message: echo }] } };
    return Promise.resolve(Response.json(status, { status: 400 }));
  }
  if (way === "cause") return Promise.reject(new TypeError("no", { cause: new Error(echo) }));
  if (way === "member")
    return Promise.reject(Object.assign(new TypeError("no"), { echo, request }));
  return Promise.reject(new TypeError(`Cannot send ${echo}`));
}

function addressOf({ scheme: start, slashes: between, user, before, after, host }: Input): string {
  return `${start}${between}${user}:${before}${secret}${after}@${host}`;
}

async function check(input: Input): Promise<void> {
  const value = `${input.prefix}${secret}${input.suffix}`;
  const all = [
    ...(await outcomesOf(addressOf(input), {}, input)),
    ...(await outcomesOf("https://server", { [input.header]: value }, input)),
  ];
  const leak = all.map(everythingIn).find((text) => text.includes(secret));
  if (leak !== undefined) throw new Error(`the secret is shown: ${leak.slice(0, 2000)}`);
}

/** Credentials in addresses and headers, in every spelling, which must never be shown. */
export const credentials: AnyTarget = fuzzTarget({ name: "credentials", inputs, check });
