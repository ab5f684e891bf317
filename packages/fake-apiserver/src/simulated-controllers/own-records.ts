import type { Random } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import { randomUuid } from "../base/random-text.ts";
import { objects, text, texts } from "../base/read-fields.ts";
import { timestamp } from "../base/server-clock.ts";
import { crdResource } from "../custom-resources/crd-object.ts";
import type { StorageEvent } from "../storage/event-log.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { type ServerCore, targetOf } from "../verbs/server-core.ts";
import { remove, write } from "../verbs/write.ts";

const networking = "networking.k8s.io";
const registration = "apiregistration.k8s.io";
const managedLabel = "kube-aggregator.kubernetes.io/automanaged";

/**
 * Maintains objects that an API server derives from others: an IPAddress for each service address
 * (k8s.io/kubernetes pkg/registry/core/service/ipallocator), and an APIService for each group
 * version of custom resources (pkg/controlplane/apiserver/aggregator.go).
 */
export class OwnRecords {
  readonly #core: ServerCore;
  readonly #random: Random;

  /** @param random creates the records' uids */
  constructor(core: ServerCore, random: Random) {
    this.#core = core;
    this.#random = random;
  }

  /** Starts to observe writes. */
  start(): void {
    this.#core.storage.onCommit((store, event) => {
      if (store.resource === "services") this.#keepAddresses(event);
      if (store.resource === crdResource)
        this.#keepServices(text(event.stored.object, "spec", "group"));
    });
  }

  #keepAddresses({ previous, stored, type }: StorageEvent): void {
    const before = addressesOf(previous?.object);
    const after = type === "DELETED" ? [] : addressesOf(stored.object);
    for (const name of before) {
      if (!after.includes(name)) this.#remove(networking, "ipaddresses", name);
    }
    const parentRef = { resource: "services", namespace: stored.namespace, name: stored.name };
    for (const name of after) {
      if (before.includes(name)) continue;
      const labels = {
        "ipaddress.kubernetes.io/ip-family": name.includes(":") ? "IPv6" : "IPv4",
        "ipaddress.kubernetes.io/managed-by": "ipallocator.k8s.io",
      };
      this.#add(networking, "ipaddresses", { metadata: { name, labels }, spec: { parentRef } });
    }
  }

  #keepServices(group: string): void {
    const { storage } = this.#core;
    const wanted = new Set<string>();
    for (const { object } of storage.store(crdResource).objects()) {
      if (text(object, "spec", "group") !== group) continue;
      for (const version of objects(object, "spec", "versions")) {
        if (version["served"] === true) wanted.add(text(version, "name"));
      }
    }
    for (const { name, object } of storage.store(`apiservices.${registration}`).objects()) {
      const isOwn = object.metadata.labels?.[managedLabel] === "true";
      if (!isOwn || text(object, "spec", "group") !== group) continue;
      if (!wanted.delete(text(object, "spec", "version"))) {
        this.#remove(registration, "apiservices", name);
      }
    }
    for (const version of wanted)
      this.#add(registration, "apiservices", this.#service(group, version));
  }

  #service(group: string, version: string): ApiObject {
    const available = {
      type: "Available",
      status: "True",
      lastTransitionTime: timestamp(this.#core.clock.now()),
      reason: "Local",
      message: "Local APIServices are always available",
    };
    return {
      metadata: { name: `${version}.${group}`, labels: { [managedLabel]: "true" } },
      spec: { group, version, groupPriorityMinimum: 1000, versionPriority: 100 },
      status: { conditions: [available] },
    };
  }

  #add(group: string, plural: string, object: ApiObject): void {
    const definition = this.#core.registry.get(group, plural);
    const { name = "" } = object.metadata;
    if (definition === undefined) return;
    const target = { ...targetOf(this.#core, definition), dryRun: false };
    if (target.store.get(name) !== undefined) return;
    const time = timestamp(this.#core.clock.now());
    const metadata = {
      ...object.metadata,
      uid: randomUuid(this.#random),
      creationTimestamp: time,
      managedFields: [entryOf(`${group}/${definition.storageVersion}`, time, object)],
    };
    write(target, { ...object, metadata }, undefined);
  }

  #remove(group: string, plural: string, name: string): void {
    const definition = this.#core.registry.get(group, plural);
    if (definition === undefined) return;
    const target = { ...targetOf(this.#core, definition), dryRun: false };
    const stored: StoredObject | undefined = target.store.get(name);
    if (stored !== undefined) remove(target, stored);
  }
}

function addressesOf(service: ApiObject | undefined): readonly string[] {
  return texts(service, "spec", "clusterIPs").filter((address) => address !== "None");
}

function entryOf(apiVersion: string, time: string, { metadata, spec }: ApiObject): object {
  const fieldsV1 = { "f:metadata": { "f:labels": owned(metadata.labels) }, "f:spec": inside(spec) };
  return {
    manager: "kube-apiserver",
    operation: "Update",
    apiVersion,
    time,
    fieldsType: "FieldsV1",
    fieldsV1,
  };
}

function owned(value: unknown): object {
  return isObject(value) ? { ".": {}, ...inside(value) } : {};
}

function inside(value: unknown): object {
  if (!isObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [`f:${name}`, owned(member)]),
  );
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
