// Packs the objects that a Kubernetes API server makes itself into one module of the fake one:
//
//   node --conditions=@listwatch/source scripts/schemas/pack-bootstrap.ts KUBECONFIG
//
// The kubeconfig is one of a server to which no client has written, without controllers. Objects
// stay in the order in which they were made. What each server decides itself (uids, times, its own
// address) is left out, or is a name with a dollar sign, for src/server/bootstrap.ts to fill in.
// Parts that several objects have are written once, and referred to as "$" and a number.
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import type { Connection } from "@listwatch/client";
import { connect } from "listwatch/node";

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
type JsonObject = Record<string, Json>;

interface Found {
  readonly resource: string;
  readonly revision: number;
  readonly object: JsonObject;
}

const output = new URL(
  "../../packages/fake-apiserver/src/server/bootstrap-objects.generated.ts",
  import.meta.url,
);
// RFC 5737: an address of no machine. 6443 is the port of API servers by convention.
const address = "192.0.2.1";
const port = 6443;
const hostname = "fake-apiserver";
// Made in other ways.
const skipped: ReadonlySet<string> = new Set(["namespaces", "componentstatuses"]);
const worthSharing = 24;

const [kubeconfig = ""] = process.argv.slice(2);
await using connection = await connect({ paths: [kubeconfig] });
const found = (await readAll(connection)).toSorted((a, b) => a.revision - b.revision);
const packed = pack(
  found.map(({ object, resource }) => [resource, withoutChance(resource, object)]),
);
const json = JSON.stringify(packed);
writeFileSync(
  output,
  "// Written by scripts/schemas/pack-bootstrap.ts.\n\n" +
    "/** What an API server makes itself, as that script says. */\n" +
    `export const bootstrapJson: string =\n  ${JSON.stringify(json)};\n`,
);
console.log(`${found.length} objects in ${json.length} characters`);

async function readAll(server: Connection): Promise<readonly Found[]> {
  const { groups } = await get(server, "/apis");
  const versions = ["/api/v1"];
  for (const group of list(groups)) {
    const { groupVersion } = record(group["preferredVersion"]);
    if (typeof groupVersion === "string") versions.push(`/apis/${groupVersion}`);
  }
  const all: Found[] = [];
  for (const path of versions) {
    const { resources } = await get(server, path);
    for (const { name: plural, verbs } of list(resources)) {
      const name = typeof plural === "string" ? plural : "";
      if (!Array.isArray(verbs) || !verbs.includes("list")) continue;
      const [, , group = ""] = path.split("/");
      const resource = path === "/api/v1" ? name : `${name}.${group}`;
      // Events of the core group are those of events.k8s.io too.
      if (skipped.has(resource) || resource.startsWith("events")) continue;
      const { items } = await get(server, `${path}/${name}`);
      for (const object of list(items)) {
        const revision = Number(record(object["metadata"])["resourceVersion"]);
        all.push({ resource, revision, object });
      }
    }
  }
  return all;
}

async function get(server: Connection, path: string): Promise<JsonObject> {
  const response = await server.fetch(new Request(new URL(path, server.server)));
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return record((await response.json()) as Json);
}

/** An object without what another server would decide in another way. */
function withoutChance(resource: string, object: JsonObject): JsonObject {
  const { metadata, ...fields } = object;
  const {
    creationTimestamp: _created,
    managedFields,
    resourceVersion: _version,
    uid: _uid,
    ...kept
  } = record(metadata);
  const entries = list(managedFields).map(({ time: _time, ...entry }) => entry);
  const bare = { metadata: { ...kept, managedFields: entries }, ...fields };
  return record(replaceTimes(special(resource, bare)));
}

function special(resource: string, object: JsonObject): JsonObject {
  const metadata = record(object["metadata"]);
  const spec = record(object["spec"]);
  switch (resource) {
    case "configmaps": {
      if (metadata["name"] !== "extension-apiserver-authentication") {
        return { ...object, data: { since: "$date" } };
      }
      // The authorities of client certificates: there are none.
      const { managedFields: _entries, ...bare } = metadata;
      return { metadata: bare };
    }
    case "services":
      return { ...object, spec: { ...spec, ports: list(spec["ports"]).map(withTargetPort) } };
    case "endpoints": {
      const ports = list(list(object["subsets"])[0]?.["ports"]).map(withPort);
      return { ...object, subsets: [{ addresses: [{ ip: address }], ports }] };
    }
    case "endpointslices.discovery.k8s.io": {
      const endpoints = list(object["endpoints"]).map(withAddress);
      return { ...object, endpoints, ports: list(object["ports"]).map(withPort) };
    }
    case "leases.coordination.k8s.io": {
      const name = identity();
      const labels = { ...record(metadata["labels"]), "kubernetes.io/hostname": hostname };
      const annotations = { "kubernetes.io/peer-advertise-address": `${address}:${port}` };
      return {
        ...object,
        metadata: { ...metadata, name, labels, annotations },
        spec: { ...spec, holderIdentity: `${name}_$uid`, renewTime: "$microtime" },
      };
    }
    default:
      return object;
  }
}

function withAddress(one: JsonObject): JsonObject {
  return { ...one, addresses: [address] };
}

function withPort(one: JsonObject): JsonObject {
  return { ...one, port };
}

function withTargetPort(one: JsonObject): JsonObject {
  return { ...one, targetPort: port };
}

// k8s.io/apiserver pkg/server/config.go: 16 bytes of the hash of the host name, in base 32.
function identity(): string {
  const digest = createHash("sha256").update(hostname).digest().subarray(0, 16);
  const bits = Array.from(digest, (byte) => byte.toString(2).padStart(8, "0")).join("");
  const letters = (bits.match(/.{1,5}/g) ?? []).map(
    (five) => "abcdefghijklmnopqrstuvwxyz234567"[Number.parseInt(five.padEnd(5, "0"), 2)],
  );
  return `apiserver-${letters.join("")}`;
}

function replaceTimes(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => replaceTimes(item));
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(record(value)).map(([name, member]): [string, Json] => {
    const isTime = name === "lastTransitionTime" && typeof member === "string";
    return [name, isTime ? "$time" : replaceTimes(member)];
  });
  return Object.fromEntries(entries);
}

/** `{ parts, objects }`: what stands several times is a part. */
function pack(objects: readonly Json[]): Json {
  const counts = new Map<string, number>();
  for (const object of objects) count(object, counts);
  const parts: Json[] = [];
  const numbers = new Map<string, number>();
  const shared = (value: Json): Json => {
    if (value === null || typeof value !== "object") return value;
    const text = JSON.stringify(value);
    if (text.length < worthSharing || (counts.get(text) ?? 0) < 2) return within(value);
    let number = numbers.get(text);
    if (number === undefined) {
      const part = within(value);
      number = parts.push(part) - 1;
      numbers.set(text, number);
    }
    return `$${number}`;
  };
  const within = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(shared);
    const members = Object.entries(record(value)).map(
      ([name, one]) => [name, shared(one)] as const,
    );
    return Object.fromEntries(members);
  };
  return { objects: objects.map(within), parts };
}

function count(value: Json, counts: Map<string, number>): void {
  if (value === null || typeof value !== "object") return;
  const text = JSON.stringify(value);
  const before = counts.get(text) ?? 0;
  counts.set(text, before + 1);
  // The content of a shared part is written only once.
  if (before > 0 && text.length >= worthSharing) return;
  for (const member of Object.values(value)) count(member, counts);
}

function record(value: Json | undefined): JsonObject {
  return value !== null && typeof value === "object" && !Array.isArray(value)
    ? (value as JsonObject)
    : {};
}

function list(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.map((item: Json) => record(item)) : [];
}
