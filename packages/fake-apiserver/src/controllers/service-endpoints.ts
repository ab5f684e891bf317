import { type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import { field, flag, objects, text, texts } from "../base/read-fields.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { podFacts } from "./pod-facts.ts";

/** Pods of a service at one family of addresses and with the same ports. */
export interface EndpointGroup {
  readonly addressType: string;
  readonly ports: readonly JsonObject[];
  readonly endpoints: readonly JsonObject[];
}

/** Returns the addresses behind a service, by family and ports. */
export function endpointGroups(
  service: ApiObject,
  pods: readonly StoredObject[],
): readonly EndpointGroup[] {
  const groups: EndpointGroup[] = [];
  const families = texts(service, "spec", "ipFamilies");
  for (const addressType of families.length === 0 ? ["IPv4"] : families) {
    const byPorts = new Map<string, { ports: readonly JsonObject[]; endpoints: JsonObject[] }>();
    for (const stored of pods) {
      const address = addressOf(stored.object, addressType);
      if (address === "" || hasEnded(stored)) continue;
      const ports = portsOf(service, stored.object);
      const key = JSON.stringify(ports);
      const group = byPorts.get(key) ?? { ports, endpoints: [] };
      group.endpoints.push(endpointOf(service, stored, address));
      byPorts.set(key, group);
    }
    // A service without pods has one empty slice.
    if (byPorts.size === 0) byPorts.set("", { ports: [], endpoints: [] });
    for (const group of byPorts.values()) groups.push({ addressType, ...group });
  }
  return groups;
}

function hasEnded(stored: StoredObject): boolean {
  const { phase } = podFacts(stored);
  return phase === "Succeeded" || phase === "Failed";
}

function addressOf(pod: ApiObject, family: string): string {
  const addresses = objects(pod, "status", "podIPs").map((one) => text(one, "ip"));
  return addresses.find((one) => one.includes(":") === (family === "IPv6")) ?? "";
}

function endpointOf(service: ApiObject, stored: StoredObject, address: string): JsonObject {
  const pod = stored.object;
  const { isReady, node } = podFacts(stored);
  const { name, namespace, uid } = pod.metadata;
  const isPublished = flag(service, "spec", "publishNotReadyAddresses");
  const hostname = text(pod, "spec", "hostname");
  const isNamed = hostname !== "" && text(pod, "spec", "subdomain") === service.metadata.name;
  return {
    addresses: [address],
    conditions: {
      ready: isPublished || (isReady && !stored.isTerminating),
      serving: isReady,
      terminating: stored.isTerminating,
    },
    ...(isNamed && { hostname }),
    ...(node !== "" && { nodeName: node }),
    targetRef: { kind: "Pod", namespace, name, uid },
  };
}

function portsOf(service: ApiObject, pod: ApiObject): readonly JsonObject[] {
  return objects(service, "spec", "ports").flatMap((port) => {
    const target = field(port, "targetPort") ?? port["port"];
    const number = typeof target === "string" ? namedPort(pod, target) : target;
    if (number === undefined) return [];
    return [
      {
        name: text(port, "name"),
        port: number,
        protocol: text(port, "protocol") || "TCP",
        ...(port["appProtocol"] !== undefined && { appProtocol: port["appProtocol"] }),
      },
    ];
  });
}

function namedPort(pod: ApiObject, name: string): unknown {
  const ports = objects(pod, "spec", "containers").flatMap((one) => objects(one, "ports"));
  return ports.find((port) => port["name"] === name)?.["containerPort"];
}

/** Returns the subsets of the Endpoints of a service. */
export function endpointSubsets(groups: readonly EndpointGroup[]): readonly JsonObject[] {
  const [first] = groups;
  return groups
    .filter(({ addressType, endpoints }) => {
      return addressType === first?.addressType && endpoints.length > 0;
    })
    .map(subsetOf);
}

function subsetOf({ endpoints, ports }: EndpointGroup): JsonObject {
  const isReady = (endpoint: JsonObject): boolean => flag(endpoint, "conditions", "ready");
  const ready = endpoints.filter(isReady).map(subsetAddress);
  const notReady = endpoints.filter((one) => !isReady(one)).map(subsetAddress);
  return {
    ...(ready.length > 0 && { addresses: ready }),
    ...(notReady.length > 0 && { notReadyAddresses: notReady }),
    ports: ports.map(({ name, ...port }) => (name === "" ? port : Object.assign({ name }, port))),
  };
}

function subsetAddress({ hostname, nodeName, targetRef, ...endpoint }: JsonObject): JsonObject {
  return {
    ip: texts(endpoint, "addresses")[0],
    ...(hostname !== undefined && { hostname }),
    ...(nodeName !== undefined && { nodeName }),
    targetRef: recordOf(targetRef),
  };
}
