import type { JsonObject } from "@listwatch/core-fifo/base";
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
import { checkDnsLabel, checkDnsSubdomain, checkQualifiedName } from "../validation/names.ts";
import { checkImmutable, checkPortNumber, checkText, checkWord } from "../validation/values.ts";
import { type ObjectRules, rulesOf } from "./object-rules.ts";
import { protocols } from "./service-ports.ts";

// pkg/apis/discovery/validation: `maxEndpoints`, `maxAddresses`, `maxPorts`.
const maxEndpoints = 1000;
const maxAddresses = 100;
const maxPorts = 20_000;

/** Rules for Endpoints. */
export const endpointsRules: ObjectRules = rulesOf((endpoints) =>
  objects(endpoints, "subsets").flatMap((subset, index) =>
    checkSubset(`subsets[${index}]`, subset),
  ),
);

/** Rules for EndpointSlices. */
export const endpointSliceRules: ObjectRules = rulesOf(checkSlice, {
  changes: ({ addressType }, stored) =>
    checkImmutable("addressType", addressType, stored["addressType"]),
  warnings: ({ addressType }) =>
    addressType === "FQDN" ? ["spec.addressType: FQDN endpoints are deprecated"] : [],
});

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
  const nodeName = text(target, "nodeName");
  return [
    ...checkAddress(`${field}.ip`, ip),
    ...(hostname === "" ? [] : checkText(`${field}.hostname`, hostname, checkDnsLabel)),
    ...(nodeName === "" ? [] : checkText(`${field}.nodeName`, nodeName, checkDnsSubdomain)),
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
    ...checkAppProtocol(field, port),
  ];
}

function checkAppProtocol(field: string, port: JsonObject): readonly FieldError[] {
  const protocol = text(port, "appProtocol");
  return protocol === "" ? [] : checkText(`${field}.appProtocol`, protocol, checkQualifiedName);
}

function checkSlice(slice: ApiObject): readonly FieldError[] {
  const type = text(slice, "addressType");
  const endpoints = objects(slice, "endpoints");
  const errors = [
    ...checkWord("addressType", type, ["FQDN", "IPv4", "IPv6"], "required"),
    ...checkSlicePorts(objects(slice, "ports")),
  ];
  if (endpoints.length > maxEndpoints) {
    return [...errors, tooMany("endpoints", endpoints.length, maxEndpoints)];
  }
  for (const [index, endpoint] of endpoints.entries()) {
    errors.push(...checkEndpoint(`endpoints[${index}]`, endpoint, type));
  }
  return errors;
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
  const hostname = text(endpoint, "hostname");
  const nodeName = text(endpoint, "nodeName");
  if (nodeName !== "") errors.push(...checkText(`${field}.nodeName`, nodeName, checkDnsSubdomain));
  if (hostname !== "") errors.push(...checkText(`${field}.hostname`, hostname, checkDnsLabel));
  return errors;
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
  if (type === "FQDN") return checkText(at, address, checkDnsSubdomain);
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

function checkSlicePorts(ports: readonly JsonObject[]): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (ports.length > maxPorts) errors.push(tooMany("ports", ports.length, maxPorts));
  const names = new Set<string>();
  for (const [index, port] of ports.entries()) {
    const field = `ports[${index}]`;
    const name = text(port, "name");
    if (names.has(name)) errors.push(duplicate(`${field}.name`, name));
    names.add(name);
    if (name !== "") errors.push(...checkText(`${field}.name`, name, checkDnsLabel));
    errors.push(
      ...checkWord(`${field}.protocol`, port["protocol"], protocols, "required"),
      ...(port["port"] === undefined ? [] : checkPortNumber(`${field}.port`, port["port"])),
      ...checkAppProtocol(field, port),
    );
  }
  return errors;
}
