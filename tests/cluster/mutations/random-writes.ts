import type { Random } from "@listwatch/core-fifo/base";
import type { Draft } from "../kinds/generate-object.ts";
import { type Path, pathsOf, spoiled, valueAt } from "./mutated-objects.ts";

/** A write of an object that exists. */
export interface RandomWrite {
  readonly method: string;
  /** Subresource and query, behind the address of the object. */
  readonly suffix: string;
  /** Media type of the body. */
  readonly type: string;
  readonly body: unknown;
}

type Members = Record<string | number, unknown>;

const json = "application/json";
const mergePatch = "application/merge-patch+json";
const jsonPatch = "application/json-patch+json";
const strategicPatch = "application/strategic-merge-patch+json";
const apply = "application/apply-patch+yaml";

/** Draws writes of objects. Equal seeds draw equal writes of equal objects. */
export class RandomWrites {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** A write of an object that has this state. */
  next(current: Draft): RandomWrite {
    const isStatus = this.#random() < 0.15 && typeof current["status"] === "object";
    const suffix = isStatus ? "/status" : "";
    const draw = this.#pick([
      () => this.#put(current, isStatus),
      () => this.#merge(current, isStatus, mergePatch),
      () => this.#merge(current, isStatus, strategicPatch),
      () => this.#operations(current, isStatus),
      () => this.#apply(current, isStatus),
      () => this.#apply(current, isStatus),
    ]);
    const chance = this.#random();
    if (chance < 0.05) return { suffix: "", ...this.#deletion(current) };
    if (chance < 0.1) return { suffix: "/scale", ...this.#scale(current) };
    const { suffix: query = "", ...write } = draw();
    return { ...write, suffix: suffix + query };
  }

  /** A deletion that is only tried. */
  #deletion({ metadata }: Draft): PartialWrite {
    const { resourceVersion, uid } = metadata as Draft;
    const options = {
      propagationPolicy: this.#pick([undefined, "Background", "Foreground", "Orphan", "other"]),
      orphanDependents: this.#pick([undefined, undefined, undefined, true]),
      gracePeriodSeconds: this.#pick([undefined, undefined, 0, 5, -1]),
      preconditions: this.#pick([
        undefined,
        undefined,
        { uid },
        { uid: "other" },
        { resourceVersion },
        { resourceVersion: "1" },
      ]),
      dryRun: ["All"],
    };
    const type = { apiVersion: "v1", kind: "DeleteOptions" };
    return {
      method: "DELETE",
      type: json,
      body: JSON.parse(JSON.stringify({ ...type, ...options })),
    };
  }

  #scale({ metadata }: Draft): PartialWrite {
    const { name, namespace } = metadata as Draft;
    const replicas = this.#pick<unknown>([0, 2, 3, -1, "x", null]);
    const scale = { apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name, namespace } };
    return this.#pick<() => PartialWrite>([
      () => ({ method: "PUT", type: json, body: { ...scale, spec: { replicas } } }),
      () => ({ method: "PATCH", type: mergePatch, body: { spec: { replicas } } }),
      () => ({
        method: "PATCH",
        type: jsonPatch,
        body: [{ op: "replace", path: "/spec/replicas", value: replicas }],
      }),
      () => ({
        method: "PATCH",
        type: apply,
        body: { ...scale, spec: { replicas } },
        suffix: "/scale?fieldManager=a",
      }),
    ])();
  }

  #put(current: Draft, isStatus: boolean): PartialWrite {
    const object = structuredClone(current);
    const { managedFields: _owners, ...metadata } = object["metadata"] as Draft;
    object["metadata"] = metadata;
    const changes = 1 + Math.floor(this.#random() * 2);
    for (let change = 0; change < changes; change++) this.#change(object, isStatus);
    if (this.#random() < 0.1) Reflect.deleteProperty(metadata, "resourceVersion");
    const suffix = this.#pick(["", "", "?fieldManager=a", "?fieldManager=b"]);
    return { method: "PUT", type: json, body: object, suffix };
  }

  /** Changes one place of an object. */
  #change(object: Draft, isStatus: boolean): void {
    const path = this.#place(object, isStatus);
    if (path === undefined) return;
    const parent = valueAt(object, path.slice(0, -1)) as Members;
    const key = path.at(-1) ?? "";
    const value = parent[key];
    if (this.#random() < 0.2) {
      if (Array.isArray(parent)) parent.splice(Number(key), 1);
      else Reflect.deleteProperty(parent, key);
    } else if (Array.isArray(value) && value.length > 1 && this.#random() < 0.5) {
      value.reverse();
    } else parent[key] = this.#otherThan(value, path.length);
  }

  /** Another value of the same type, usually one that is not refused. */
  #otherThan(value: unknown, depth: number): unknown {
    if (this.#random() < 0.2) {
      const values = spoiled(value, depth).filter(([name]) => name !== "[]" && name !== "{}");
      if (values.length > 0) return this.#pick(values)[1];
    }
    if (typeof value === "string") return this.#pick([`${value}x`, "other", "other"]);
    if (typeof value === "number") return this.#pick([value + 1, 1, 2]);
    if (typeof value === "boolean") return !value;
    return value;
  }

  /** A place of the object that a client decides about. */
  #place(object: Draft, isStatus: boolean): Path | undefined {
    const places = [...pathsOf(object)].filter(
      (path) => isClients(path) && (path[0] === "status") === isStatus,
    );
    // Metadata would be half of them in small objects.
    const [rest, metadata] = [
      places.filter(([first]) => first !== "metadata"),
      places.filter(([first]) => first === "metadata"),
    ];
    const chosen = rest.length === 0 || this.#random() < 0.2 ? metadata : rest;
    return chosen.length === 0 ? undefined : this.#pick(chosen);
  }

  #merge(current: Draft, isStatus: boolean, type: string): PartialWrite {
    let body: Draft = {};
    const changes = 1 + Math.floor(this.#random() * 2);
    for (let change = 0; change < changes; change++) {
      const path = this.#place(current, isStatus);
      if (path !== undefined) body = this.#nested(current, path, type, body) as Draft;
    }
    return { method: "PATCH", type, body };
  }

  // Lists are whole in a merge patch; in a strategic one they have an item with its key.
  #nested(current: unknown, path: Path, type: string, into: unknown): unknown {
    const [key, ...rest] = path;
    if (key === undefined) {
      const chance = this.#random();
      if (chance < 0.25) return null;
      if (chance < 0.3 && type === strategicPatch && isFields(current)) {
        return { ...current, $patch: this.#pick(["replace", "delete", "merge"]) };
      }
      return this.#otherThan(current, 3);
    }
    if (Array.isArray(current)) {
      const item: unknown = current[Number(key)];
      if (type === mergePatch || !isFields(item)) {
        const list = structuredClone(current) as unknown[];
        list[Number(key)] = this.#nested(item, rest, type, undefined);
        return list.filter((one) => one !== null);
      }
      const changed = this.#nested(item, rest, type, undefined);
      if (!isFields(changed)) return [{ ...keysOf(item), $patch: "delete" }];
      return [{ ...keysOf(item), ...changed }];
    }
    const members = isFields(into) ? into : {};
    const value = this.#nested((current as Members)[key], rest, type, members[key]);
    return { ...members, [key]: value };
  }

  #operations(current: Draft, isStatus: boolean): PartialWrite {
    const operations: Draft[] = [];
    const count = 1 + Math.floor(this.#random() * 3);
    for (let index = 0; index < count; index++) {
      const place = this.#place(current, isStatus);
      if (place === undefined) continue;
      const path = pointer(place);
      const value = valueAt(current, place);
      const from = pointer(this.#place(current, isStatus) ?? place);
      operations.push(
        this.#pick<() => Draft>([
          () => ({ op: "replace", path, value: this.#otherThan(value, place.length) }),
          () => ({ op: "replace", path, value: this.#otherThan(value, place.length) }),
          () => ({ op: "add", path, value: this.#otherThan(value, place.length) }),
          () => ({ op: "remove", path }),
          () => ({ op: "test", path, value: this.#random() < 0.8 ? value : "other" }),
          () => ({ op: "copy", from, path }),
          () => ({ op: "move", from, path }),
          () => ({ op: "add", path: `${path}/-`, value: this.#otherThan(value, place.length) }),
          () => ({ op: "remove", path: `${path}/other` }),
        ])(),
      );
    }
    return { method: "PATCH", type: jsonPatch, body: operations };
  }

  #apply(current: Draft, isStatus: boolean): PartialWrite {
    const { apiVersion, kind, metadata, ...rest } = structuredClone(current);
    const { annotations, labels, finalizers, name, namespace } = metadata as Draft;
    const own = { annotations, labels, finalizers };
    const object = { ...rest, own } as Draft;
    if (!isStatus) Reflect.deleteProperty(object, "status");
    const parts = [...pathsOf(object)].filter((path) => path.length > 1);
    // Later ones first, so that positions in lists stay.
    for (const path of parts.toReversed()) {
      if (this.#random() > 0.15) continue;
      const parent = valueAt(object, path.slice(0, -1)) as Members;
      const key = path.at(-1) ?? "";
      if (Array.isArray(parent)) parent.splice(Number(key), 1);
      else Reflect.deleteProperty(parent, key);
    }
    const { own: kept, ...content } = object;
    const body = {
      apiVersion,
      kind,
      metadata: { name, namespace, ...(kept as Draft) },
      ...content,
    };
    if (this.#random() < 0.3) this.#change(body, isStatus);
    const manager = this.#pick(["a", "b"]);
    const suffix = `?fieldManager=${manager}${this.#random() < 0.5 ? "&force=true" : ""}`;
    return { method: "PATCH", type: apply, body: JSON.parse(JSON.stringify(body)), suffix };
  }

  #pick<T>(values: readonly T[]): T {
    return values[Math.floor(this.#random() * values.length)] as T;
  }
}

type PartialWrite = Omit<RandomWrite, "suffix"> & { readonly suffix?: string };

const clientsMetadata: ReadonlySet<unknown> = new Set(["annotations", "finalizers", "labels"]);

function isClients([first, second]: Path): boolean {
  if (first === "metadata") return clientsMetadata.has(second);
  return first !== "apiVersion" && first !== "kind";
}

const mergeKeys = ["name", "containerPort", "port", "protocol", "mountPath", "devicePath", "ip"];
const otherKeys = ["key", "topologyKey", "type", "uid", "whenUnsatisfiable"];

/** The members of an item that a list may be merged by. */
function keysOf(item: Draft): Draft {
  const names = [...mergeKeys, ...otherKeys].filter((name) => Object.hasOwn(item, name));
  return Object.fromEntries(names.map((name) => [name, item[name]]));
}

function pointer(path: Path): string {
  return path
    .map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");
}

function isFields(value: unknown): value is Draft {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
