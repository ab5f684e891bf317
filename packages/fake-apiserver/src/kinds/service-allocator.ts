import {
  isJsonEqual,
  isRecord,
  type JsonObject,
  type MutableJsonObject,
} from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import type { FieldError } from "../api/errors.ts";
import { count, objects, text, texts } from "../base/read-fields.ts";
import { isReachedFromOutside, serviceRules } from "../rules/service.ts";
import { invalid } from "../validation/field-errors.ts";
import type { Validation } from "./define-kind.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { familyDefaults, serviceStatus } from "./defaults/service.ts";
import { each } from "./defaults/fill.ts";
import type { ResourceStrategy } from "./strategy.ts";

// The service range 10.0.0.0/24 of the recorded server; its first address is that of the service
// `kubernetes`.
const network = "10.0.0.";
const firstHost = 2;
const lastHost = 254;
// kube-apiserver --service-node-port-range.
const firstNodePort = 30_000;
const lastNodePort = 32_767;

/** Hands out cluster addresses and node ports, and takes them back with their services. */
export class ServiceAllocator {
  readonly #addresses = new Set<string>();
  readonly #nodePorts = new Set<number>();

  /** Returns the strategy of services. */
  strategy(validation: Validation): ResourceStrategy {
    return {
      ...(validation === "full" && {
        validateCreate: (service) => this.#refuse(serviceRules.create(service), service, undefined),
        validateUpdate: (service, stored) =>
          this.#refuse(serviceRules.update(service, stored), service, stored),
      }),
      prepareForCreate: (service) => ({
        ...serviceStatus(this.#allocate(service, undefined)),
        metadata: service.metadata,
      }),
      prepareForUpdate: (service, stored) => this.#allocate(service, stored),
      written: (version, previous) => this.#written(version, previous),
    };
  }

  // Only what a valid service asks for is looked at.
  #refuse(
    errors: readonly FieldError[],
    service: ApiObject,
    stored: ApiObject | undefined,
  ): readonly FieldError[] {
    if (errors.length > 0) return errors;
    return [...this.#checkAddresses(service, stored), ...this.#checkNodePorts(service, stored)];
  }

  #checkAddresses(service: ApiObject, stored: ApiObject | undefined): readonly FieldError[] {
    const addresses = texts(service, "spec", "clusterIPs");
    const known = new Set(texts(stored, "spec", "clusterIPs"));
    const errors: FieldError[] = [];
    for (const address of addresses) {
      if (address === "None" || known.has(address)) continue;
      const isTaken = this.#addresses.has(address);
      if (!isTaken && (isInRange(address) || this.#freeAddress() === address)) continue;
      const why = isTaken
        ? "provided IP is already allocated"
        : "the provided network does not match the current range";
      const problem = `failed to allocate IP ${address}: ${why}`;
      errors.push(invalid("spec.clusterIPs", addresses, problem));
    }
    return errors;
  }

  #checkNodePorts(service: ApiObject, stored: ApiObject | undefined): readonly FieldError[] {
    const known = new Set(nodePortsOf(stored));
    const errors: FieldError[] = [];
    for (const [index, port] of objects(service, "spec", "ports").entries()) {
      const nodePort = count(port, "nodePort");
      if (nodePort === 0 || known.has(nodePort)) continue;
      const isTaken = this.#nodePorts.has(nodePort);
      if (!isTaken && nodePort >= firstNodePort && nodePort <= lastNodePort) continue;
      const problem = isTaken
        ? "provided port is already allocated"
        : `provided port is not in the valid range. The range of valid ports is ${firstNodePort}-${lastNodePort}`;
      errors.push(invalid(`spec.ports[${index}].nodePort`, nodePort, problem));
    }
    return errors;
  }

  // Nothing is taken yet: the write may be a dry run, or fail.
  #allocate(service: ApiObject, stored: ApiObject | undefined): ApiObject {
    const { spec } = service;
    if (!isRecord(spec)) return service;
    const old = isRecord(stored?.["spec"]) ? stored["spec"] : undefined;
    const own = old === undefined ? spec : withoutLeftOvers(spec, old);
    if (own["type"] === "ExternalName") return { ...service, spec: withoutAddress(own) };
    const addressed = this.#withAddress(own, old);
    return { ...service, spec: this.#withNodePorts(familyDefaults(addressed), old) };
  }

  #withAddress(spec: JsonObject, old: JsonObject | undefined): JsonObject {
    const given = text(spec, "clusterIP");
    const kept = given === "" && old !== undefined ? text(old, "clusterIP") : given;
    const clusterIP = kept === "" ? this.#freeAddress() : kept;
    const [first, ...others] = texts(spec, "clusterIPs");
    if (first === undefined || given === "") return { ...spec, clusterIP, clusterIPs: [clusterIP] };
    // A writer of the one field alone need not know of the other.
    const isLeftOver = first !== clusterIP && first === text(old, "clusterIP");
    return { ...spec, clusterIP, clusterIPs: [isLeftOver ? clusterIP : first, ...others] };
  }

  #withNodePorts(spec: JsonObject, old: JsonObject | undefined): JsonObject {
    const { type } = spec;
    if (type === "ClusterIP") return withoutNodePorts(spec, old);
    const chosen = new Set<number>();
    const hasPorts = type !== "LoadBalancer" || spec["allocateLoadBalancerNodePorts"] !== false;
    const withPorts = hasPorts
      ? each(spec, "ports", (port) => this.#withNodePort(port, old, chosen))
      : spec;
    if (!isHealthChecked(spec) || typeof spec["healthCheckNodePort"] === "number") return withPorts;
    const healthCheckNodePort = old?.["healthCheckNodePort"] ?? this.#freeNodePort(chosen);
    return { ...withPorts, healthCheckNodePort };
  }

  #withNodePort(port: JsonObject, old: JsonObject | undefined, chosen: Set<number>): JsonObject {
    if (typeof port["nodePort"] === "number" && port["nodePort"] > 0) return port;
    const nodePort = keptNodePort(port, old) ?? this.#freeNodePort(chosen);
    chosen.add(nodePort);
    return { ...port, nodePort };
  }

  #freeAddress(): string {
    for (let host = firstHost; host < lastHost; host++) {
      if (!this.#addresses.has(`${network}${host}`)) return `${network}${host}`;
    }
    // More services than the range has addresses: go on in a wider one.
    for (let index = 0; ; index++) {
      const address = `10.${1 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`;
      if (!this.#addresses.has(address)) return address;
    }
  }

  #freeNodePort(chosen: ReadonlySet<number>): number {
    for (let port = firstNodePort; port <= lastNodePort; port++) {
      if (!this.#nodePorts.has(port) && !chosen.has(port)) return port;
    }
    return lastNodePort;
  }

  #written(version: StoredObject | undefined, previous: StoredObject | undefined): void {
    if (previous !== undefined) {
      this.#addresses.delete(text(previous.object, "spec", "clusterIP"));
      for (const port of nodePortsOf(previous.object)) this.#nodePorts.delete(port);
    }
    if (version === undefined) return;
    this.#addresses.add(text(version.object, "spec", "clusterIP"));
    for (const port of nodePortsOf(version.object)) this.#nodePorts.add(port);
  }
}

function withoutAddress(spec: JsonObject): JsonObject {
  const {
    clusterIP: _address,
    clusterIPs: _addresses,
    ipFamilies: _families,
    ipFamilyPolicy: _policy,
    internalTrafficPolicy: _traffic,
    ...rest
  } = spec;
  return withoutNodePorts(rest, spec);
}

// Drops fields that only the old type has, unless they have been changed as well.
function withoutLeftOvers(spec: JsonObject, old: JsonObject): JsonObject {
  const kept: MutableJsonObject = { ...spec };
  const drop = (name: string, needs: (spec: JsonObject) => boolean): void => {
    if (needs(old) && !needs(spec) && isJsonEqual(spec[name], old[name])) delete kept[name];
  };
  const isBalanced = ({ type }: JsonObject): boolean => type === "LoadBalancer";
  drop("externalTrafficPolicy", isReachedFromOutside);
  drop("allocateLoadBalancerNodePorts", isBalanced);
  drop("loadBalancerClass", isBalanced);
  drop("healthCheckNodePort", isHealthChecked);
  return kept;
}

function isHealthChecked(spec: JsonObject): boolean {
  return spec["type"] === "LoadBalancer" && spec["externalTrafficPolicy"] === "Local";
}

function isInRange(address: string): boolean {
  const host = address.startsWith(network) ? address.slice(network.length) : "";
  return /^\d+$/.test(host) && Number(host) <= 255;
}

// Node ports go when the type no longer has them; those that a client asks for are refused.
function withoutNodePorts(given: JsonObject, old: JsonObject | undefined): JsonObject {
  const known = new Set(nodePortsOf({ spec: old }));
  return each(given, "ports", (port) => {
    if (typeof port["nodePort"] !== "number" || !known.has(port["nodePort"])) return port;
    const { nodePort: _nodePort, ...rest } = port;
    return rest;
  });
}

function keptNodePort(port: JsonObject, old: JsonObject | undefined): number | undefined {
  const same = objects(old, "ports").find(
    (one) => one["port"] === port["port"] && one["protocol"] === port["protocol"],
  );
  const nodePort = same?.["nodePort"];
  return typeof nodePort === "number" ? nodePort : undefined;
}

function nodePortsOf(service: unknown): readonly number[] {
  return objects(service, "spec", "ports")
    .map(({ nodePort }) => nodePort)
    .filter((port) => typeof port === "number");
}
