import {
  isJsonEqual,
  isRecord,
  type JsonObject,
  type MutableJsonObject,
} from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import { type FieldError, internalError, plainServerError } from "../api/errors.ts";
import { count, objects, text, texts } from "../base/read-fields.ts";
import { isHealthChecked, isReachedFromOutside, serviceRules } from "../rules/service.ts";
import { formatAddress, parseAddress } from "../validation/addresses.ts";
import { invalid } from "../validation/field-errors.ts";
import type { KindHost } from "./define-kind.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { serviceStatus } from "./defaults/service.ts";
import { each } from "./defaults/fill.ts";
import { checkFamilies, familiesOf, policyOf } from "./service-families.ts";
import { ServiceRanges } from "./service-ranges.ts";
import type { ResourceStrategy } from "./strategy.ts";

/** Hands out cluster addresses and node ports, and takes them back with their services. */
export class ServiceAllocator {
  readonly #host: Pick<KindHost, "services" | "validation">;
  readonly #ranges: ServiceRanges;
  readonly #addresses = new Set<string>();
  readonly #nodePorts = new Set<number>();

  constructor(host: Pick<KindHost, "objectsOf" | "services" | "validation">) {
    this.#host = host;
    this.#ranges = new ServiceRanges(host);
  }

  /** Returns the strategy of services. */
  strategy(): ResourceStrategy {
    return {
      ...(this.#host.validation === "full" && {
        validateCreate: serviceRules.create,
        validateUpdate: serviceRules.update,
        checkAllocation: (service, stored, dryRun) => {
          const errors = checkFamilies(service, stored, this.#ranges.families());
          if (errors.length > 0) return errors;
          return [
            ...this.#checkAddresses(service, stored, dryRun),
            ...this.#checkNodePorts(service, stored, dryRun),
          ];
        },
      }),
      prepareForCreate: (service) => ({
        ...serviceStatus(this.#allocate(service, undefined)),
        metadata: service.metadata,
      }),
      prepareForUpdate: (service, stored) => this.#allocate(service, stored),
      written: (version, previous) => this.#written(version, previous),
    };
  }

  // A dry run does not look whether an address is free.
  #checkAddresses(
    service: ApiObject,
    stored: ApiObject | undefined,
    dryRun: boolean,
  ): readonly FieldError[] {
    const addresses = texts(service, "spec", "clusterIPs");
    const known = new Set(texts(stored, "spec", "clusterIPs"));
    const errors: FieldError[] = [];
    for (const address of addresses) {
      if (address === "None" || known.has(address)) continue;
      const isTaken = !dryRun && this.#addresses.has(canonical(address));
      const why = isTaken
        ? "provided IP is already allocated"
        : this.#ranges.refuse(address, dryRun);
      if (why === undefined) continue;
      const problem = `failed to allocate IP ${address}: ${why}`;
      errors.push(invalid("spec.clusterIPs", addresses, problem));
    }
    return errors;
  }

  // A dry run does not compare a node port with the range.
  #checkNodePorts(
    service: ApiObject,
    stored: ApiObject | undefined,
    dryRun: boolean,
  ): readonly FieldError[] {
    const known = new Set(nodePortsOf(stored));
    const { first, last } = this.#host.services.nodePorts;
    const errors: FieldError[] = [];
    for (const [index, port] of objects(service, "spec", "ports").entries()) {
      const nodePort = count(port, "nodePort");
      if (nodePort === 0 || known.has(nodePort)) continue;
      const isTaken = this.#nodePorts.has(nodePort);
      if (!isTaken && (dryRun || (nodePort >= first && nodePort <= last))) continue;
      const problem = isTaken
        ? "provided port is already allocated"
        : `provided port is not in the valid range. The range of valid ports is ${first}-${last}`;
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
    return { ...service, spec: this.#withNodePorts(this.#withAddresses(own, old), old) };
  }

  #withAddresses(spec: JsonObject, old: JsonObject | undefined): JsonObject {
    const given = givenAddresses(spec, old);
    const ipFamilyPolicy = policyOf({ ...spec, clusterIP: given[0] }, old);
    const isSingle = old !== undefined && ipFamilyPolicy === "SingleStack";
    // A change of the policy alone releases the second address.
    const isKept = !isSingle || !isJsonEqual(given, old["clusterIPs"]);
    const wanted = isKept ? given : given.slice(0, 1);
    const named = { ...spec, clusterIPs: wanted, ipFamilyPolicy };
    const ipFamilies = familiesOf(named, old, this.#ranges.families());
    const clusterIPs =
      wanted[0] === "None"
        ? wanted
        : [
            ...wanted,
            // A family that is given twice is refused later.
            ...[...new Set(ipFamilies)]
              .slice(wanted.length)
              .map((family) => this.#freeAddress(family)),
          ].filter((address) => address !== undefined);
    return {
      ...named,
      clusterIP: text(spec, "clusterIP") || clusterIPs[0],
      clusterIPs,
      ipFamilies,
    };
  }

  #withNodePorts(spec: JsonObject, old: JsonObject | undefined): JsonObject {
    const { type } = spec;
    if (type === "ClusterIP") return withoutNodePorts(spec, old);
    const hasPorts = getsNodePorts(spec);
    const chosen = new Set(takenPortsOf({ spec }));
    const choose = (): number | undefined => {
      const nodePort = hasPorts ? this.#freeNodePort(chosen) : undefined;
      if (nodePort !== undefined) chosen.add(nodePort);
      return nodePort;
    };
    const fill =
      old === undefined ? firstNodePorts(spec, choose) : laterNodePorts(spec, old, choose);
    const withPorts = each(spec, "ports", (port) => {
      const nodePort = count(port, "nodePort") || fill(port);
      return nodePort === undefined ? port : { ...port, nodePort };
    });
    if (old !== undefined) refuseRepeatedNodePort(withPorts);
    if (!isHealthChecked(spec) || typeof spec["healthCheckNodePort"] === "number") return withPorts;
    const healthCheckNodePort = old?.["healthCheckNodePort"] ?? this.#freeNodePort(chosen);
    return { ...withPorts, healthCheckNodePort };
  }

  // Undefined for a family that the cluster does not have, which is refused later.
  #freeAddress(family: string): string | undefined {
    const free = this.#ranges.lowestFree(family, this.#addresses);
    if (free === "full") throw internalError("failed to allocate a serviceIP: range is full");
    return free;
  }

  #freeNodePort(chosen: ReadonlySet<number>): number {
    const { first, last } = this.#host.services.nodePorts;
    for (let port = first; port <= last; port++) {
      if (!this.#nodePorts.has(port) && !chosen.has(port)) return port;
    }
    throw internalError("failed to allocate a nodePort: range is full");
  }

  #written(version: StoredObject | undefined, previous: StoredObject | undefined): void {
    if (previous !== undefined) {
      for (const address of addressesOf(previous.object)) {
        this.#addresses.delete(address);
        this.#ranges.release(address);
      }
      for (const port of takenPortsOf(previous.object)) this.#nodePorts.delete(port);
    }
    if (version === undefined) return;
    for (const address of addressesOf(version.object)) this.#addresses.add(address);
    for (const port of takenPortsOf(version.object)) this.#nodePorts.add(port);
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

/** The addresses that a writer gives a service, or that it keeps. */
function givenAddresses(spec: JsonObject, old: JsonObject | undefined): readonly string[] {
  const given = text(spec, "clusterIP");
  if (given === "") return texts(old, "clusterIPs");
  const [first, ...others] = texts(spec, "clusterIPs");
  if (first === undefined) return [given];
  // A writer of the one field alone need not know of the other.
  const isLeftOver = first !== given && first === text(old, "clusterIP");
  return [isLeftOver ? given : first, ...others];
}

function addressesOf(service: ApiObject): readonly string[] {
  return texts(service, "spec", "clusterIPs")
    .filter((address) => address !== "None")
    .map(canonical);
}

function canonical(address: string): string {
  const parsed = parseAddress(address);
  return parsed === undefined ? address : formatAddress(parsed);
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

// pkg/registry/core/service/storage/alloc.go, `updateNodePorts`: an update allocates first, and is
// checked later.
function refuseRepeatedNodePort(spec: JsonObject): void {
  const seen = new Set<string>();
  for (const port of objects(spec, "ports")) {
    const nodePort = count(port, "nodePort");
    const shown = `{${text(port, "protocol")} ${nodePort}}`;
    if (nodePort !== 0 && seen.has(shown)) throw plainServerError(`duplicate nodePort: ${shown}`);
    seen.add(shown);
  }
}

function getsNodePorts({ allocateLoadBalancerNodePorts, type }: JsonObject): boolean {
  return (
    type === "NodePort" || (type === "LoadBalancer" && allocateLoadBalancerNodePorts !== false)
  );
}

type ChooseNodePort = () => number | undefined;
type FillNodePort = (port: JsonObject) => number | undefined;

// `initNodePorts` in the same file: ports of one number, such as those of TCP and UDP, have one
// node port.
function firstNodePorts(spec: JsonObject, choose: ChooseNodePort): FillNodePort {
  const known = new Map<number, number | undefined>();
  for (const port of objects(spec, "ports").toReversed()) {
    if (count(port, "nodePort") !== 0) known.set(count(port, "port"), count(port, "nodePort"));
  }
  return (port) => {
    const number = count(port, "port");
    const nodePort = known.get(number) ?? choose();
    known.set(number, nodePort);
    return nodePort;
  };
}

// `patchAllocatedValues` in storage.go: a port keeps that of the old one with its name, unless
// another one has asked for it.
function laterNodePorts(spec: JsonObject, old: JsonObject, choose: ChooseNodePort): FillNodePort {
  const asked = new Set(nodePortsOf({ spec }));
  const keeps = getsNodePorts(spec) && getsNodePorts(old);
  const known = keeps ? objects(old, "ports") : [];
  const kept = new Map(known.map((port) => [text(port, "name"), port["nodePort"]]));
  return (port) => {
    const before = kept.get(text(port, "name"));
    return typeof before === "number" && !asked.has(before) ? before : choose();
  };
}

/** Ports of a service that no other one may have. */
function takenPortsOf(service: unknown): readonly number[] {
  const healthCheck = count(service, "spec", "healthCheckNodePort");
  return healthCheck === 0 ? nodePortsOf(service) : [...nodePortsOf(service), healthCheck];
}

function nodePortsOf(service: unknown): readonly number[] {
  return objects(service, "spec", "ports")
    .map(({ nodePort }) => nodePort)
    .filter((port) => typeof port === "number");
}
