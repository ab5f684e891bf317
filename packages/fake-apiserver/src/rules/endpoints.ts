import { isJsonEqual, type JsonObject } from "@listwatch/core-fifo/base";
import type { FieldError } from "../api/errors.ts";
import type { ApiObject } from "../api/api-object.ts";
import { objects, text, texts } from "../base/read-fields.ts";
import {
  addressProblems,
  checkAddress,
  checkReachable,
  parseAddress,
} from "../validation/addresses.ts";
import { duplicate, invalid, required, tooMany } from "../validation/field-errors.ts";
import {
  checkDnsLabel,
  checkDnsSubdomain,
  checkLabelValue,
  checkQualifiedName,
  type NameRule,
} from "../validation/names.ts";
import {
  checkImmutable,
  checkListed,
  checkPortNumber,
  checkText,
  checkWord,
} from "../validation/values.ts";
import type { ObjectRules } from "./object-rules.ts";
import { protocols } from "./service-ports.ts";

// pkg/apis/discovery/validation: `maxEndpoints`, `maxAddresses`, `maxPorts`, `maxZoneHints`.
const maxEndpoints = 1000;
const maxAddresses = 100;
const maxPorts = 20_000;
const maxHints = 8;

/** Rules for Endpoints. */
export const endpointsRules: ObjectRules = {
  create: checkSubsets,
  // Subsets that older versions took stay as they are.
  update: (endpoints, stored) =>
    isJsonEqual(endpoints["subsets"], stored["subsets"]) ? [] : checkSubsets(endpoints),
};

/** Rules for EndpointSlices. */
export const endpointSliceRules: ObjectRules = {
  create: (slice) => [...checkSlice(slice), ...checkEndpoints(slice)],
  update: (slice, stored) => [
    ...checkSlice(slice),
    // Endpoints that older versions took stay as they are.
    ...(isJsonEqual(slice["endpoints"], stored["endpoints"]) ? [] : checkEndpoints(slice)),
    ...checkImmutable("addressType", slice["addressType"], stored["addressType"]),
  ],
  warnings: ({ addressType }, stored) =>
    addressType === "FQDN" && stored === undefined
      ? ["spec.addressType: FQDN endpoints are deprecated"]
      : [],
};

function checkSubsets(endpoints: ApiObject): readonly FieldError[] {
  return objects(endpoints, "subsets").flatMap((subset, index) =>
    checkSubset(`subsets[${index}]`, subset),
  );
}

function checkSubset(field: string, subset: JsonObject): FieldError[] {
  const lists = ["addresses", "notReadyAddresses"];
  const errors: FieldError[] = [];
  if (lists.every((name) => objects(subset, name).length === 0)) {
    errors.push(required(field, "must specify `addresses` or `notReadyAddresses`"));
  }
  for (const name of lists) {
    for (const [index, address] of objects(subset, name).entries()) {
      errors.push(...checkTarget(`${field}.${name}[${index}]`, address));
    }
  }
  const ports = objects(subset, "ports");
  for (const [index, port] of ports.entries()) {
    errors.push(...checkEndpointPort(`${field}.ports[${index}]`, port, ports.length > 1));
  }
  return errors;
}

function checkTarget(field: string, target: JsonObject): readonly FieldError[] {
  const ip = text(target, "ip");
  const hostname = text(target, "hostname");
  return [
    ...checkAddress(`${field}.ip`, ip),
    ...(hostname === "" ? [] : checkText(`${field}.hostname`, hostname, checkDnsLabel)),
    ...checkGiven(`${field}.nodeName`, target["nodeName"], checkDnsSubdomain),
    ...checkReachable(`${field}.ip`, ip),
  ];
}

function checkEndpointPort(
  field: string,
  port: JsonObject,
  isNamed: boolean,
): readonly FieldError[] {
  const name = text(port, "name");
  const errors = isNamed && name === "" ? [required(`${field}.name`)] : [];
  if (name !== "") errors.push(...checkText(`${field}.name`, name, checkDnsLabel));
  return [
    ...errors,
    ...checkPortNumber(`${field}.port`, port["port"]),
    ...checkWord(`${field}.protocol`, port["protocol"], protocols, "required"),
    ...checkGiven(`${field}.appProtocol`, port["appProtocol"], checkQualifiedName),
  ];
}

function checkSlice(slice: ApiObject): readonly FieldError[] {
  return [
    ...checkWord("addressType", slice["addressType"], ["FQDN", "IPv4", "IPv6"], "required"),
    ...checkSlicePorts(objects(slice, "ports")),
  ];
}

function checkEndpoints(slice: ApiObject): readonly FieldError[] {
  const type = text(slice, "addressType");
  const endpoints = objects(slice, "endpoints");
  if (endpoints.length > maxEndpoints)
    return [tooMany("endpoints", endpoints.length, maxEndpoints)];
  return endpoints.flatMap((endpoint, index) =>
    checkEndpoint(`endpoints[${index}]`, endpoint, type),
  );
}

function checkEndpoint(field: string, endpoint: JsonObject, type: string): readonly FieldError[] {
  const at = `${field}.addresses`;
  const addresses = texts(endpoint, "addresses");
  const errors: FieldError[] = [];
  if (addresses.length === 0) errors.push(required(at, "must contain at least 1 address"));
  if (addresses.length > maxAddresses) {
    errors.push(tooMany(at, addresses.length, maxAddresses));
  }
  for (const [index, address] of addresses.entries()) {
    errors.push(...checkSliceAddress(at, { index, address, type }));
  }
  const { hints, hostname, nodeName } = endpoint;
  return [
    ...errors,
    ...checkGiven(`${field}.nodeName`, nodeName, checkDnsSubdomain),
    ...checkGiven(`${field}.hostname`, hostname, checkDnsLabel),
    ...checkHints(`${field}.hints.forZones`, objects(hints, "forZones"), checkLabelValue),
    ...checkHints(`${field}.hints.forNodes`, objects(hints, "forNodes"), checkDnsSubdomain),
  ];
}

// Only what is not there is free: "" is checked like other texts.
function checkGiven(field: string, value: unknown, rule: NameRule): readonly FieldError[] {
  return typeof value === "string" ? checkText(field, value, rule) : [];
}

function checkHints(
  field: string,
  hints: readonly JsonObject[],
  rule: NameRule,
): readonly FieldError[] {
  if (hints.length > maxHints) return [tooMany(field, hints.length, maxHints)];
  const known = new Set<string>();
  return hints.flatMap((hint, index) => {
    const name = text(hint, "name");
    const at = `${field}[${index}].name`;
    const repeated = known.has(name) ? [duplicate(at, name)] : [];
    known.add(name);
    return [...repeated, ...checkText(at, name, rule)];
  });
}

interface SliceAddress {
  readonly index: number;
  readonly address: string;
  readonly type: string;
}

function checkSliceAddress(
  field: string,
  { address, index, type }: SliceAddress,
): readonly FieldError[] {
  const at = `${field}[${index}]`;
  if (type === "FQDN") return checkDomain(at, address);
  if (type !== "IPv4" && type !== "IPv6") return [];
  const errors =
    type === "IPv4"
      ? checkAddress(at, address)
      : addressProblems(address).map((problem) => invalid(at, address, problem));
  if (errors.length > 0) return errors;
  if (parseAddress(address)?.family !== type) {
    // A server names the list, and not the address.
    errors.push(invalid(field, address, `must be an ${type} address`));
  }
  return [...errors, ...checkReachable(at, address)];
}

// k8s.io/apimachinery pkg/util/validation: `IsFullyQualifiedDomainName`.
function checkDomain(field: string, address: string): readonly FieldError[] {
  if (address === "") return [required(field)];
  const name = address.replace(/\.$/, "");
  const [problem] = checkDnsSubdomain(name);
  if (problem !== undefined) return [invalid(field, name, problem)];
  const labels = name.split(".");
  if (labels.length < 2) {
    const detail = "should be a domain with at least two segments separated by dots";
    return [invalid(field, name, detail)];
  }
  return labels.flatMap((label) => checkText(field, label, checkDnsLabel)).slice(0, 1);
}

function checkSlicePorts(ports: readonly JsonObject[]): readonly FieldError[] {
  if (ports.length > maxPorts) return [tooMany("ports", ports.length, maxPorts)];
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [index, port] of ports.entries()) {
    const field = `ports[${index}]`;
    const name = text(port, "name");
    if (name !== "") errors.push(...checkText(`${field}.name`, name, checkDnsLabel));
    if (names.has(name)) errors.push(duplicate(`${field}.name`, name));
    names.add(name);
    // A server does not check the number of a port.
    errors.push(
      ...checkListed(`${field}.protocol`, port["protocol"], protocols.toSorted()),
      ...checkGiven(`${field}.appProtocol`, port["appProtocol"], checkQualifiedName),
    );
  }
  return errors;
}
