import type { KubernetesObject } from "@listwatch/core-fifo";
import { isRecord, recordOf, stringOf, type MutableJsonObject } from "@listwatch/core-fifo/base";
import { attributesOf } from "./model-class.ts";

/** The exports of `@kubernetes/client-node`, its model classes included. */
export type Models = Readonly<Record<string, unknown>>;

/** Two kinds share the name Event and the version v1. */
const events: Readonly<Record<string, string>> = {
  v1: "CoreV1Event",
  "events.k8s.io/v1": "EventsV1Event",
};

/** Converts an object into an instance of its model class; see the option `revive`. */
export function revive(object: KubernetesObject, models: Models): KubernetesObject {
  // A restart passes on the objects of the cache.
  if (attributesOf(object.metadata?.constructor) !== undefined) return object;
  const model = modelOf(object);
  if (attributesOf(models[model]) !== undefined) return recordOf(reviveAs(object, model, models));
  const metadata: object | undefined = object.metadata;
  return { ...object, metadata: recordOf(reviveAs(metadata, "V1ObjectMeta", models)) };
}

/** Returns `V1Pod` for `v1` and `Pod`. */
function modelOf({ apiVersion = "", kind = "" }: KubernetesObject): string {
  const version = apiVersion.slice(apiVersion.indexOf("/") + 1);
  const model = `${version.charAt(0).toUpperCase()}${version.slice(1)}${kind}`;
  return kind === "Event" ? (events[apiVersion] ?? model) : model;
}

const list = { start: "Array<", end: ">" };
const map = { start: "{ [key: string]: ", end: "; }" };

/** @param type as written in the generated classes, such as `Array<V1Container>` */
function reviveAs(value: unknown, type: string, models: Models): unknown {
  if (value === undefined || value === null) return value;
  if (type === "Date") return new Date(stringOf(value));
  const item = inside(type, list);
  if (item !== undefined) {
    return Array.isArray(value) ? value.map((each) => reviveAs(each, item, models)) : value;
  }
  if (!isRecord(value) && type !== "V1MicroTime") return value;
  const member = inside(type, map);
  if (member !== undefined && isRecord(value)) {
    const entries = Object.entries(value);
    return Object.fromEntries(entries.map(([key, each]) => [key, reviveAs(each, member, models)]));
  }
  return instantiate(value, type, models);
}

function instantiate(value: unknown, type: string, models: Models): unknown {
  const model = models[type];
  if (typeof model !== "function") return value;
  if (type === "V1MicroTime") return Reflect.construct(model, [value]);
  const attributes = attributesOf(model);
  if (attributes === undefined || !isRecord(value)) return value;
  const instance: MutableJsonObject = recordOf(Reflect.construct(model, []));
  for (const attribute of attributes) {
    const revived = reviveAs(value[attribute.baseName], attribute.type, models);
    if (revived !== undefined) instance[attribute.name] = revived;
  }
  return instance;
}

function inside(type: string, { end, start }: typeof list): string | undefined {
  return type.startsWith(start) && type.endsWith(end)
    ? type.slice(start.length, -end.length)
    : undefined;
}
