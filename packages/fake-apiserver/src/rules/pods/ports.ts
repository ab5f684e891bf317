import type { JsonObject } from "@listwatch/core-fifo/base";
import type { FieldError } from "../../api/errors.ts";
import { count, objects, text } from "../../base/read-fields.ts";
import { duplicate, invalid, required } from "../../validation/field-errors.ts";
import { checkPortName } from "../../validation/names.ts";
import { protocols } from "../service-ports.ts";
import { checkPortNumber, checkText, checkWord } from "../../validation/values.ts";

/** The ports of a container. */
export function checkContainerPorts(
  field: string,
  ports: readonly JsonObject[],
): readonly FieldError[] {
  const names = new Set<string>();
  return ports.flatMap((port, index) => {
    const at = `${field}[${index}]`;
    const name = text(port, "name");
    return [
      ...(name === "" ? [] : checkName(`${at}.name`, name, names)),
      ...checkNumbers(at, port),
      ...checkWord(`${at}.protocol`, text(port, "protocol"), protocols, "required"),
    ];
  });
}

function checkName(field: string, name: string, names: Set<string>): readonly FieldError[] {
  const errors = checkText(field, name, checkPortName);
  if (errors.length > 0) return errors;
  if (names.has(name)) return [duplicate(field, name)];
  names.add(name);
  return [];
}

function checkNumbers(at: string, port: JsonObject): readonly FieldError[] {
  const containerPort = count(port, "containerPort");
  const hostPort = count(port, "hostPort");
  return [
    ...(containerPort === 0
      ? [required(`${at}.containerPort`)]
      : checkPortNumber(`${at}.containerPort`, containerPort)),
    ...(hostPort === 0 ? [] : checkPortNumber(`${at}.hostPort`, hostPort)),
  ];
}

/** Ports of the host that several containers, which run at the same time, want. */
export function checkHostPortConflicts(
  field: string,
  containers: readonly JsonObject[],
): readonly FieldError[] {
  const used = new Set<string>();
  return containers.flatMap((container, index) =>
    objects(container, "ports").flatMap((port, portIndex) => {
      const hostPort = count(port, "hostPort");
      if (hostPort === 0) return [];
      const key = `${text(port, "protocol")}/${text(port, "hostIP")}/${hostPort}`;
      if (used.has(key)) {
        return [duplicate(`${field}[${index}].ports[${portIndex}].hostPort`, key)];
      }
      used.add(key);
      return [];
    }),
  );
}

/**
 * Ports of containers in the network of the host, which are the same there.
 *
 * @param isPod in a template, a port of the host may also be left out
 */
export function checkHostNetworkPorts(
  field: string,
  containers: readonly JsonObject[],
  isPod: boolean,
): readonly FieldError[] {
  const problem = "must match `containerPort` when `hostNetwork` is true";
  return containers.flatMap((container, index) =>
    objects(container, "ports").flatMap((port, portIndex) => {
      const hostPort = count(port, "hostPort");
      if (hostPort === count(port, "containerPort") || (!isPod && hostPort === 0)) return [];
      return [invalid(`${field}[${index}].ports[${portIndex}].hostPort`, hostPort, problem)];
    }),
  );
}
