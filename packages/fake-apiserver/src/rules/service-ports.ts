import type { JsonObject } from "@listwatch/core-fifo/base";
import type { FieldError } from "../api/errors.ts";
import { goStruct } from "../base/go-text.ts";
import { count, objects, text } from "../base/read-fields.ts";
import {
  duplicate,
  duplicateShown,
  forbidden,
  invalid,
  required,
} from "../validation/field-errors.ts";
import { checkDnsLabel, checkQualifiedName } from "../validation/names.ts";
import { checkPort, checkPortNumber, checkText, checkWord } from "../validation/values.ts";

/** The protocols of ports. */
export const protocols: readonly string[] = ["TCP", "UDP", "SCTP"];
// The port of the kubelet: pkg/apis/core/validation, `ValidateService`.
const kubeletPort = 10_250;

/** Checks the ports of a Service. */
export function checkServicePorts(spec: JsonObject): readonly FieldError[] {
  const ports = objects(spec, "ports");
  const type = text(spec, "type");
  const isHeadless = text(spec, "clusterIP") === "None";
  const errors: FieldError[] = [];
  if (ports.length === 0 && !isHeadless && type !== "ExternalName") {
    errors.push(required("spec.ports"));
  }
  const names = new Set<string>();
  for (const [index, port] of ports.entries()) {
    const field = `spec.ports[${index}]`;
    errors.push(
      ...checkName(field, port, ports.length > 1, names),
      ...checkServicePort(field, port),
    );
    if (type === "LoadBalancer" && port["port"] === kubeletPort) {
      const problem = "may not expose port 10250 externally since it is used by kubelet";
      errors.push(invalid(field, kubeletPort, problem));
    }
    if (type === "ClusterIP" && count(port, "nodePort") !== 0) {
      errors.push(forbidden(`${field}.nodePort`, "may not be used when `type` is 'ClusterIP'"));
    }
  }
  return [...errors, ...checkRepeated(ports)];
}

function checkName(
  field: string,
  port: JsonObject,
  isNeeded: boolean,
  names: Set<string>,
): readonly FieldError[] {
  const name = text(port, "name");
  if (name === "") return isNeeded ? [required(`${field}.name`)] : [];
  const errors = checkText(`${field}.name`, name, checkDnsLabel);
  if (names.has(name)) errors.push(duplicate(`${field}.name`, name));
  names.add(name);
  return errors;
}

function checkServicePort(field: string, port: JsonObject): readonly FieldError[] {
  const { appProtocol } = port;
  return [
    ...checkPortNumber(`${field}.port`, port["port"]),
    ...checkWord(`${field}.protocol`, port["protocol"], protocols, "required"),
    ...checkPort(`${field}.targetPort`, port["targetPort"]),
    ...(typeof appProtocol === "string"
      ? checkText(`${field}.appProtocol`, appProtocol, checkQualifiedName)
      : []),
  ];
}

// Each port and each node port is there once for a protocol.
function checkRepeated(ports: readonly JsonObject[]): readonly FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, port] of ports.entries()) {
    const protocol = text(port, "protocol");
    const nodePort = count(port, "nodePort");
    const nodeKey = `node ${protocol} ${nodePort}`;
    if (nodePort !== 0 && seen.has(nodeKey)) {
      errors.push(duplicate(`spec.ports[${index}].nodePort`, nodePort));
    }
    const number = count(port, "port");
    const key = `${protocol} ${number}`;
    if (seen.has(key)) {
      errors.push(duplicateShown(`spec.ports[${index}]`, showPort(protocol, number)));
    }
    seen.add(nodeKey);
    seen.add(key);
  }
  return errors;
}

// The server compares ports that only have a protocol and a number.
function showPort(protocol: string, number: number): string {
  return goStruct({
    Name: "",
    Protocol: protocol,
    AppProtocol: null,
    Port: number,
    TargetPort: 0,
    NodePort: 0,
  });
}
