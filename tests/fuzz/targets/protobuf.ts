import * as fc from "fast-check";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { anyJson, anyText } from "../anything.ts";
import { checkSame, fuzzTarget, type AnyTarget } from "../target.ts";

const protobuf = "application/vnd.kubernetes.protobuf";
const json = "application/json";
const origin = "http://localhost";
const prefix = [0x6b, 0x38, 0x73, 0];

const name = fc.constantFrom("a", "b", "c");
const texts = fc.dictionary(name, anyText, { maxKeys: 3 });
const whole = fc.integer({ min: 0, max: 2 ** 31 - 1 });
const base64 = fc.uint8Array({ maxLength: 8 }).map((bytes) => btoa(String.fromCharCode(...bytes)));
const port = fc.oneof(fc.integer({ min: 1, max: 65_535 }), fc.constantFrom("http", "metrics"));

type Members = Readonly<Record<string, fc.Arbitrary<unknown>>>;

function object(all: Members, others: Members): fc.Arbitrary<object> {
  return fc.record({ ...all, ...others }, { requiredKeys: Object.keys(all) });
}

const probe = object(
  { httpGet: object({ path: fc.constant("/"), port }, {}) },
  { periodSeconds: fc.integer({ min: 1, max: 9 }) },
);
const container = object(
  { name: fc.constant("main"), image: fc.constant("nginx") },
  {
    args: fc.array(anyText, { maxLength: 2 }),
    stdin: fc.boolean(),
    env: fc.array(object({ name }, { value: anyText }), { maxLength: 2 }),
    resources: fc.constantFrom({}, { limits: { cpu: "0.5" } }, { limits: { memory: "1Gi" } }),
    livenessProbe: probe,
    securityContext: object({}, { privileged: fc.boolean(), runAsUser: whole }),
  },
);
const podSpec = object(
  { containers: fc.array(container, { minLength: 1, maxLength: 1 }) },
  {
    nodeSelector: texts,
    hostNetwork: fc.constant(false),
    terminationGracePeriodSeconds: whole,
    securityContext: object({}, { supplementalGroups: fc.array(whole, { maxLength: 3 }) }),
  },
);

/** Replacements of existing objects, by path. */
const written = fc.oneof(
  fc.tuple(
    fc.constant("/api/v1/namespaces/default/configmaps/map"),
    object({}, { data: texts, binaryData: fc.dictionary(fc.constantFrom("x", "y"), base64) }),
  ),
  fc.tuple(
    fc.constant("/apis/apps/v1/namespaces/default/deployments/web"),
    podSpec.map((spec) => ({ spec: { ...deploymentSpec, template: { ...template, spec } } })),
  ),
  fc.tuple(
    fc.constant("/apis/apps/v1/namespaces/default/controllerrevisions/one"),
    anyJson.map((data) => ({ data: { of: data }, revision: 1 })),
  ),
);
const labels = { app: "web" };
const template = { metadata: { labels } };
const deploymentSpec = { selector: { matchLabels: labels } };

/** A position in bytes of any length, in thousandths. */
const place = fc.integer({ min: 0, max: 999 });

/** Random bytes, or changes of an object's bytes. */
const change = fc.oneof(
  fc.record({ any: fc.array(fc.nat({ max: 255 }), { maxLength: 64 }), start: fc.boolean() }),
  fc.record({ cut: place }),
  fc.record({
    flips: fc.array(fc.tuple(place, fc.nat({ max: 255 })), {
      minLength: 1,
      maxLength: 4,
    }),
  }),
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

function changed(original: Uint8Array, how: Change): Uint8Array {
  if ("any" in how) return Uint8Array.from([...(how.start ? prefix : []), ...how.any]);
  if ("cut" in how) return original.slice(0, indexAt(how.cut, original));
  const copy = Uint8Array.from(original);
  for (const [at, byte] of how.flips) copy[indexAt(at, copy)] = byte;
  return copy;
}

function indexAt(thousandths: number, { length }: Uint8Array): number {
  return Math.floor((thousandths * length) / 1000);
}

function newServer(): FakeApiServer {
  const spec = { containers: [{ name: "main", image: "nginx" }] };
  return new FakeApiServer({
    seed: 1,
    // The objects need not be valid, only encodable.
    validation: "off",
    objects: [
      { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "default", name: "map" } },
      {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { namespace: "default", name: "web" },
        spec: { ...deploymentSpec, template: { ...template, spec } },
      },
      {
        apiVersion: "apps/v1",
        kind: "ControllerRevision",
        metadata: { namespace: "default", name: "one" },
        revision: 1,
      },
    ],
  });
}

function send(
  server: FakeApiServer,
  path: string,
  accept: string,
  body?: { readonly type: string; readonly content: BodyInit },
): Promise<Response> {
  const headers = new Headers({ accept });
  if (body === undefined) return server.fetch(new Request(origin + path, { headers }));
  headers.set("content-type", body.type);
  const init = { method: "PUT", headers, body: body.content };
  return server.fetch(new Request(origin + path, init));
}

async function bytesOf(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await response.arrayBuffer());
}

/** An object survives a round trip in protobuf; changed bytes are accepted or rejected. */
export const protobufBodies: AnyTarget = fuzzTarget({
  name: "protobuf-bodies",
  inputs: fc.record({ written, change }),
  check: async ({ change: how, written: [path, fields] }) => {
    const server = newServer();
    const before = (await (await send(server, path, json)).json()) as object;
    const content = JSON.stringify({ ...before, ...fields });
    const put = await send(server, path, protobuf, { type: json, content });
    // Not all fields are valid, such as labels; the previous object is used then.
    if (!put.ok) await put.body?.cancel();
    const expected: unknown = await (await send(server, path, json)).json();
    const bytes = await bytesOf(put.ok ? put : await send(server, path, protobuf));
    const again = await send(server, path, json, { type: protobuf, content: bytes });
    checkSame(await again.json(), expected, "the object after an update with its own bytes");
    const bad = Uint8Array.from(changed(bytes, how));
    const answer = await send(server, path, protobuf, { type: protobuf, content: bad });
    // A real server's response to an invalid resourceVersion; protobuf transmits strings unchanged.
    const isMeant = (await answer.text()).includes("strconv.ParseUint");
    if (answer.status >= 500 && !isMeant) {
      throw new Error(`changed bytes were answered with ${answer.status}`);
    }
  },
});
