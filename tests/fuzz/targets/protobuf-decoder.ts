import * as fc from "fast-check";
import { jsonDecoder } from "@listwatch/client";
import { ListwatchError } from "@listwatch/core-fifo";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { FieldTree } from "../../../packages/client/src/json/field-tree.ts";
import { ObjectLimit } from "../../../packages/client/src/json/object-limit.ts";
import { createProtobufDecoder } from "../../../packages/client/src/protobuf/protobuf-decoder.ts";
import { checkSame, fuzzTarget, type AnyTarget } from "../target.ts";

const protobuf = "application/vnd.kubernetes.protobuf";
const json = "application/json";
const server = "http://localhost";

/** Objects with strings, numbers, maps, lists, quantities, times and JSON. */
const objects = [
  {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      namespace: "default",
      name: "web",
      labels: { app: "web" },
      annotations: { note: "é日本" },
    },
    spec: {
      nodeName: "node-1",
      nodeSelector: { disk: "ssd" },
      containers: [
        {
          name: "main",
          image: "nginx",
          args: ["-a", ""],
          ports: [{ containerPort: 80 }],
          resources: { limits: { cpu: "500m" } },
          livenessProbe: { httpGet: { path: "/", port: "http" }, periodSeconds: 5 },
        },
      ],
      securityContext: { supplementalGroups: [1, 2, 300] },
    },
    status: { phase: "Running", startTime: "2026-01-02T03:04:05Z" },
  },
  {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { namespace: "default", name: "map" },
    data: { a: "b".repeat(200) },
    binaryData: { c: "AAECAw==" },
  },
  {
    apiVersion: "apps/v1",
    kind: "ControllerRevision",
    metadata: { namespace: "default", name: "one" },
    data: { of: ["what", 1] },
    revision: 3,
  },
];

const paths = ["/api/v1/pods", "/api/v1/configmaps", "/apis/apps/v1/controllerrevisions"];

/** A response with objects, and its content in JSON. */
interface Answer {
  readonly bytes: Uint8Array;
  readonly items: readonly object[];
}

let answers: Promise<readonly Answer[]> | undefined;

/** Requests a list, then a watch, for each path. */
async function ask(): Promise<readonly Answer[]> {
  const api = new FakeApiServer({ seed: 1, validation: "off", objects });
  const send = async (path: string, accept: string): Promise<Response> =>
    api.fetch(new Request(server + path, { headers: { accept } }));
  const asked = paths.map(async (path) => {
    const read = (await (await send(path, json)).json()) as {
      kind: string;
      apiVersion: string;
      items: object[];
    };
    const type = { kind: read.kind.slice(0, -"List".length), apiVersion: read.apiVersion };
    const items = read.items.map((item) => Object.assign({}, type, item));
    const list = { bytes: await bytesOf(await send(path, protobuf)), items };
    const watched = await send(`${path}?watch=true&timeoutSeconds=1`, protobuf);
    const watch = { bytes: await bytesOf(watched), items };
    return [list, watch];
  });
  return (await Promise.all(asked)).flat();
}

async function bytesOf(response: Response): Promise<Uint8Array> {
  return new Uint8Array(await response.arrayBuffer());
}

const place = fc.integer({ min: 0, max: 999 });
const byte = fc.nat({ max: 255 });

const inputs = fc.record({
  /** Index of a response. */
  answer: fc.nat({ max: 2 * paths.length - 1 }),
  /** Inserted, removed or changed bytes, by their position in thousandths of the response. */
  changes: fc.array(
    fc.oneof(
      fc.record({ at: place, flip: byte }),
      fc.record({ at: place, insert: fc.array(byte, { minLength: 1, maxLength: 12 }) }),
      fc.record({ at: place, remove: fc.integer({ min: 1, max: 20 }) }),
    ),
    { maxLength: 4 },
  ),
  cut: fc.option(place, { nil: undefined }),
  chunk: fc.oneof(fc.integer({ min: 1, max: 16 }), fc.integer({ min: 1, max: 600 })),
  lazyLength: fc.constantFrom(0, 40, 1000),
  stripManagedFields: fc.boolean(),
  /** Selected fields; all of them if undefined. */
  fields: fc.option(
    fc.subarray(["metadata", "metadata.labels.app", "spec", "spec.containers", "data", "status"]),
    { nil: undefined },
  ),
});
type Input = typeof inputs extends fc.Arbitrary<infer T> ? T : never;

function changed(original: Uint8Array, { changes, cut }: Input): Uint8Array {
  const bytes = [...original];
  for (const change of changes) {
    const at = Math.floor((change.at * bytes.length) / 1000);
    if ("flip" in change) bytes[at] = change.flip;
    else if ("insert" in change) bytes.splice(at, 0, ...change.insert);
    else bytes.splice(at, change.remove);
  }
  const end = cut === undefined ? bytes.length : Math.floor((cut * bytes.length) / 1000);
  return Uint8Array.from(bytes.slice(0, end));
}

/** Returns the decoded objects, and the name of the error at the end. */
function decode(bytes: Uint8Array, chunk: number, input: Input): readonly unknown[] {
  const { answer, fields, lazyLength, stripManagedFields } = input;
  const limit = new ObjectLimit(100_000);
  const decoder = createProtobufDecoder({
    json: jsonDecoder(),
    limit,
    fields,
    lazyLength,
    stripManagedFields,
  });
  const decoding = answer % 2 === 0 ? decoder.list<unknown>() : decoder.watch<unknown>();
  const into: unknown[] = [];
  let ended: unknown = "end";
  try {
    for (let at = 0; at < bytes.length; at += chunk) {
      decoding.write(bytes.subarray(at, at + chunk), into as never);
    }
    decoding.end(into as never);
  } catch (error) {
    ended = codeOfExpected(error);
  }
  return [...into.map(readWhole), ended];
}

/** Reads a lazy member, which may turn out to be invalid. */
function readWhole(item: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(item)) as unknown;
  } catch (error) {
    return codeOfExpected(error);
  }
}

const expectedCodes = ["LW_DECODE", "LW_LAZY_TEXT", "LW_NETWORK", "LW_NOT_A_LIST"];

function codeOfExpected(error: unknown): string {
  if (error instanceof ListwatchError && expectedCodes.includes(error.code)) return error.code;
  throw error;
}

/**
 * Changed bytes of a protobuf response decode to objects or an error, and equally in chunks of all
 * sizes. Unchanged ones equal the server's JSON.
 */
export const protobufDecoder: AnyTarget = fuzzTarget({
  name: "protobuf",
  inputs,
  check: async (input) => {
    answers ??= ask();
    const answer = (await answers)[input.answer];
    if (answer === undefined) throw new Error("Expected an answer for each path");
    const bytes = changed(answer.bytes, input);
    const decoded = decode(bytes, input.chunk, input);
    checkSame(decoded, decode(bytes, bytes.length, input), `chunks of ${input.chunk} bytes`);
    if (input.changes.length > 0 || input.cut !== undefined || input.stripManagedFields) return;
    const tree = input.fields && new FieldTree(input.fields);
    const kept = answer.items.map((item) => tree?.pick(item) ?? item);
    const items = input.answer % 2 === 0 ? kept : kept.map(added);
    checkSame(decoded, [...items, "end"], "the bytes of the server");
  },
});

function added(object: unknown): object {
  return { type: "ADDED", object };
}
