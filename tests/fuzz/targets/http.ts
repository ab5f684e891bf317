import { gunzipSync } from "node:zlib";
import * as fc from "fast-check";
import { parse } from "yaml";
import { isRecord } from "@listwatch/core-fifo/base";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { thingsDefinition } from "../anything.ts";
import { httpRequest, type HttpRequest } from "../http-requests.ts";
import { checkSame, fuzzTarget, type AnyTarget } from "../target.ts";

const origin = "http://localhost";
const controlList = `${origin}/api/v1/namespaces/fuzz-control/configmaps`;

/** Messages with which a real server responds 500, recorded or read in its source. */
const realServerErrors = [
  /^internal server error: reason withheld/,
  /^unknown patch type: /,
  /does not contain declared merge key/,
  /^list element types are not identical/,
  /^merging lists cannot yet be specified/,
  /^expected a \[\]interface \{\}, but received a /,
  /^The order in patch list:/,
  /^no elements in any of the given slices/,
  /^unable to find api field in struct /,
  /^the spec replicas field /,
  /^Internal error occurred: the spec replicas field /,
  /^resourceVersion should not be set on objects to be created$/,
  /^content is not a list$/,
  /^(?:resourceVersion: Invalid value: ".*": )?strconv\.ParseUint: parsing /s,
  /^failed to create typed patch object /,
  /^etcdserver: request is too large$/,
  // Messages of the converter for a configuration that does not match its type.
  /^json: cannot unmarshal |^cannot (?:restore|convert) |^unrecognized type: /,
  /^quantities must match |^parsing time |^illegal base64 data /,
  /shard/i,
];

function newServer(clock: SimulatedClock): FakeApiServer {
  const controls = ["x", "y", "z"].map((name) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { namespace: "fuzz-control", name },
    data: { name },
  }));
  const namespaces = ["default", "other", "fuzz-control"].map((name) => ({
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name },
  }));
  return new FakeApiServer({
    clock,
    seed: 1,
    crds: [thingsDefinition],
    shardedListAndWatch: true,
    objects: [...namespaces, ...controls],
  });
}

/** Returns undefined for a request that the current runtime rejects. */
function toRequest({ body, headers, method, target }: HttpRequest): Request | undefined {
  const hasBody = body !== "" && method !== "GET" && method !== "HEAD";
  try {
    return new Request(origin + target, {
      method,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
      ...(hasBody ? { body: Uint8Array.from(body, (letter) => letter.charCodeAt(0)) } : {}),
    });
  } catch {
    return undefined;
  }
}

/** Returns the response and its body, with enough simulated time for waits. */
async function exchange(
  server: FakeApiServer,
  clock: SimulatedClock,
  request: Request,
): Promise<{ readonly response: Response; readonly text: string }> {
  const [response] = await Promise.all([server.fetch(request), clock.advance(10_000)]);
  server.control.watches.end();
  const bytes = new Uint8Array(await response.arrayBuffer());
  const isZipped = response.headers.get("content-encoding") === "gzip" && bytes.length > 0;
  return { response, text: new TextDecoder().decode(isZipped ? gunzipSync(bytes) : bytes) };
}

function checkAnswer(request: HttpRequest, response: Response, text: string): void {
  const { status } = response;
  const type = response.headers.get("content-type") ?? "";
  if (status < 200 || status > 599) throw new Error(`answered ${status}`);
  if (request.method === "HEAD") return checkSame(text, "", "the body of an answer to HEAD");
  const isJson = type.startsWith("application/json");
  if (status < 300 && request.method === "GET" && request.target.includes("watch")) {
    return isJson && !request.target.includes("pretty") ? checkLines(text) : undefined;
  }
  const isDocument = isJson || type.startsWith("application/yaml");
  const value: unknown = isJson ? JSON.parse(text) : isDocument ? parse(text) : text;
  if (status >= 400 && isDocument) checkStatus(value, status);
  const message = isRecord(value) ? String(value["message"]) : text;
  if (status === 500 && !realServerErrors.some((known) => known.test(message))) {
    throw new Error(`answered 500: ${text}`);
  }
  if (status >= 400 && /is not a function|Cannot read prop|is not iterable/.test(text)) {
    throw new Error(`answered ${status} with words of the runtime: ${text}`);
  }
}

function checkStatus(value: unknown, status: number): void {
  if (!isRecord(value)) throw new Error(`answered ${status} without a Status`);
  // A server's response to unknown paths.
  if (status === 404 && Array.isArray(value["paths"])) return;
  const { apiVersion, code, details, kind, message, metadata, reason } = value;
  const known = { apiVersion, code, kind, metadata, status: value["status"] };
  const expected = {
    apiVersion: "v1",
    code: status,
    kind: "Status",
    metadata: {},
    status: "Failure",
  };
  checkSame(known, expected, "the Status");
  const isText = typeof message === "string" && message !== "";
  const isSound = reason === undefined || typeof reason === "string";
  if (!isText || !isSound) throw new Error(`a Status with ${JSON.stringify({ message, reason })}`);
  if (details !== undefined && !isRecord(details)) throw new Error("a Status with other details");
}

/** Checks events, or the list that a request without `watch=true` gets. */
function checkLines(text: string): void {
  for (const line of text.split("\n")) {
    if (line !== "" && !isRecord(JSON.parse(line))) throw new Error(`no event: ${line}`);
  }
}

/** Returns the objects that no request addresses. */
async function controlObjects(server: FakeApiServer): Promise<unknown> {
  const response = await server.fetch(controlList);
  const value: unknown = await response.json();
  if (response.status !== 200 || !isRecord(value)) throw new Error(`control: ${response.status}`);
  return value["items"];
}

/** Checks that the lists of addressed objects can be read. */
async function checkLists(server: FakeApiServer): Promise<void> {
  for (const path of [
    "/api/v1/pods",
    "/api/v1/configmaps",
    "/apis/apps/v1/deployments",
    "/api/v1/namespaces",
  ]) {
    const response = await server.fetch(origin + path);
    const value: unknown = await response.json();
    if (response.status !== 200 || !isRecord(value) || !Array.isArray(value["items"])) {
      throw new Error(`${path}: ${response.status}`);
    }
  }
}

const prototypes = [
  Object,
  Array,
  Function,
  String,
  Number,
  Map,
  Set,
  Promise,
  Request,
  Response,
].map(({ prototype }): object => prototype);
const prototypeKeys = (): string =>
  prototypes.map((prototype) => Reflect.ownKeys(prototype).map(String).join()).join("|");

async function check(requests: readonly HttpRequest[]): Promise<void> {
  const clock = new SimulatedClock();
  const server = newServer(clock);
  const before = { keys: prototypeKeys(), objects: await controlObjects(server) };
  for (const input of requests) {
    const request = toRequest(input);
    if (request === undefined) continue;
    const { response, text } = await exchange(server, clock, request);
    checkAnswer(input, response, text);
    checkSame(prototypeKeys(), before.keys, "the prototypes");
  }
  checkSame(await controlObjects(server), before.objects, "the control list");
  await checkLists(server);
}

/** Any requests to the fake API server, which must respond like a server and keep working. */
export const http: AnyTarget = fuzzTarget({
  name: "http",
  inputs: fc.array(httpRequest, { minLength: 1, maxLength: 6 }),
  check,
});
