import {
  isRecord,
  recordOf,
  type JsonObject,
  type MutableJsonObject,
} from "@listwatch/core-fifo/base";
import { apiVersionOf } from "../api/api-versions.ts";
import { groupResource, storageName } from "../api/registry.ts";
import type { ApiObject } from "../api/api-object.ts";
import type { ResourceDefinition } from "../api/resource-definition.ts";
import { randomUuid, seededStream } from "../base/random-text.ts";
import { timestamp } from "../base/server-clock.ts";
import type { ResourceStore } from "../storage/resource-store.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { ServiceRange } from "../kinds/service-range.ts";
import { type ServerCore, targetOf } from "../verbs/server-core.ts";
import { bootstrapJson } from "./bootstrap-objects.generated.ts";

/** An object that a server makes itself, without uids and times. */
interface Template {
  readonly resource: string;
  readonly object: ApiObject;
}

/** Values for the names that begin with a dollar sign. */
type Values = Readonly<Record<string, string>>;

const networking = "networking.k8s.io";

let templates: readonly Template[] | undefined;

// None of these has ever been written by a client, or is kept in storage: pkg/registry/core,
// componentstatus. A server without controllers finds its storage alone.
const components: readonly ApiObject[] = [
  unhealthy("scheduler", 10_259),
  unhealthy("controller-manager", 10_257),
  {
    metadata: { name: "etcd-0" },
    conditions: [{ type: "Healthy", status: "True", message: "ok" }],
  },
];

/**
 * Gives a server the objects that a real one makes at its start, as they are on one without
 * controllers: the service `kubernetes` and its addresses, roles and bindings, priority classes,
 * flow schemas, API services. They are older than all history, as after a restart.
 */
export function addBootstrapObjects(core: ServerCore, seed: number | string): void {
  const random = seededStream(seed, "bootstrap");
  const nowMs = core.clock.now();
  const time = timestamp(nowMs);
  const microtime = `${new Date(nowMs).toISOString().slice(0, -1)}000Z`;
  const values = { $date: time.slice(0, 10), $microtime: microtime, $time: time };
  const definitions = new Map(
    core.registry.definitions().map((definition) => [groupResource(definition), definition]),
  );
  const found = new Map<ResourceDefinition, StoredObject[]>();
  let { revision } = core.storage;
  for (const { object, resource } of (templates ??= unpack())) {
    const definition = definitions.get(resource);
    if (definition === undefined) continue;
    const template = withServiceRanges(resource, object, core.settings.services.ranges);
    const filled = objectFrom(fill(template, { ...values, $uid: randomUuid(random) }));
    const metadata = metadataOf(filled, randomUuid(random), time);
    revision++;
    const stored = core.storage.createState(
      core.storage.withRevision({ ...filled, metadata }, revision),
      revision,
    );
    const others = found.get(definition);
    if (others === undefined) found.set(definition, [stored]);
    else others.push(stored);
  }
  core.storage.advance(revision);
  for (const [definition, objects] of found) addTo(core, definition, objects, revision);
  const statuses = definitions.get("componentstatuses");
  if (statuses === undefined) return;
  const states = components.map((object) => core.storage.createState(object, revision));
  addTo(core, statuses, states, revision);
}

/** Returns an object with the ranges of a server, and the address of the service `kubernetes`. */
function withServiceRanges(
  resource: string,
  object: ApiObject,
  ranges: readonly string[],
): ApiObject {
  const spec = recordOf(object["spec"]);
  const [range = ""] = ranges;
  if (resource === `servicecidrs.${networking}`) {
    return { ...object, spec: { ...spec, cidrs: ranges } };
  }
  const isService = resource === "services";
  if (!isService && resource !== `ipaddresses.${networking}`) return object;
  const { family, firstAddress } = new ServiceRange(range);
  if (isService) {
    const addresses = { clusterIP: firstAddress, clusterIPs: [firstAddress] };
    return { ...object, spec: { ...spec, ...addresses, ipFamilies: [family] } };
  }
  const labels = { ...object.metadata.labels, "ipaddress.kubernetes.io/ip-family": family };
  return { ...object, metadata: { ...object.metadata, name: firstAddress, labels } };
}

function addTo(
  core: ServerCore,
  definition: ResourceDefinition,
  objects: readonly StoredObject[],
  revision: number,
): void {
  const store = core.storage.store(storageName(definition));
  placeBefore(store, objects, revision);
  const { strategy } = targetOf(core, definition);
  for (const stored of objects) strategy.written?.(stored, undefined);
}

function placeBefore(
  store: ResourceStore,
  objects: readonly StoredObject[],
  revision: number,
): void {
  const sorted = [...store.objects(), ...objects].toSorted((a, b) => (a.key < b.key ? -1 : 1));
  store.restore({ objects: sorted, events: [], logFloor: revision, watchFloor: revision });
}

function metadataOf({ metadata }: ApiObject, uid: string, time: string): ApiObject["metadata"] {
  const { generation, managedFields, name, namespace, ...rest } = metadata;
  return {
    name,
    ...(namespace !== undefined && { namespace }),
    uid,
    ...(generation !== undefined && { generation }),
    creationTimestamp: time,
    ...rest,
    ...(Array.isArray(managedFields) && {
      managedFields: managedFields.map((entry: JsonObject) => withTime(entry, time)),
    }),
  };
}

function withTime(entry: JsonObject, time: string): JsonObject {
  const { apiVersion, fieldsType, fieldsV1, manager, operation, ...rest } = entry;
  return { manager, operation, apiVersion, time, fieldsType, fieldsV1, ...rest };
}

function fill(value: unknown, values: Values): unknown {
  if (typeof value === "string") {
    if (!value.includes("$")) return value;
    return value.replace(/\$(?:date|microtime|time|uid)/g, (name) => values[name] ?? name);
  }
  if (Array.isArray(value)) return value.map((item) => fill(item, values));
  if (!isRecord(value)) return value;
  const filled: MutableJsonObject = {};
  for (const name in value) filled[name] = fill(value[name], values);
  return filled;
}

/** The entry of what the server itself writes of its namespaces. */
export function namespaceEntry(time: string): JsonObject {
  const label = { ".": {}, "f:kubernetes.io/metadata.name": {} };
  return withTime(
    {
      manager: "kube-apiserver",
      operation: "Update",
      apiVersion: apiVersionOf("", "v1"),
      fieldsType: "FieldsV1",
      fieldsV1: { "f:metadata": { "f:labels": label } },
    },
    time,
  );
}

function unhealthy(name: string, port: number): ApiObject {
  const problem = `dial tcp 127.0.0.1:${port}: connect: connection refused`;
  const message = `Get "https://127.0.0.1:${port}/healthz": ${problem}`;
  return { metadata: { name }, conditions: [{ type: "Healthy", status: "False", message }] };
}

/** Reads what was packed; "$" and a number stands for a part that several objects have. */
function unpack(): readonly Template[] {
  const code: unknown = JSON.parse(bootstrapJson);
  if (!isRecord(code)) return [];
  const { objects, parts } = code;
  if (!Array.isArray(objects) || !Array.isArray(parts)) return [];
  const known: unknown[] = [];
  const read = (value: unknown): unknown => {
    if (typeof value === "string") {
      if (!/^\$\d+$/.test(value)) return value;
      const number = Number(value.slice(1));
      return (known[number] ??= read(parts[number]));
    }
    if (Array.isArray(value)) return value.map(read);
    if (!isRecord(value)) return value;
    const copy: MutableJsonObject = {};
    for (const name in value) copy[name] = read(value[name]);
    return copy;
  };
  return objects.map(([resource, object]) => ({ resource, object: objectFrom(read(object)) }));
}

function objectFrom(value: unknown): ApiObject {
  const object = recordOf(value);
  return { ...object, metadata: recordOf(object["metadata"]) };
}
