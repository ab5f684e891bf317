import type { JsonObject } from "@listwatch/core-fifo/base";
import { goQuote } from "../../base/go-text.ts";
import { count, objects, text } from "../../base/read-fields.ts";

/** A container and where it stands. */
export interface PlacedContainer {
  readonly at: string;
  readonly container: JsonObject;
}

interface PlacedPort {
  readonly at: string;
  readonly port: JsonObject;
}

/** Warns of ports that hide each other. */
export function portWarnings(containers: readonly PlacedContainer[]): readonly string[] {
  const ports = containers.flatMap(({ at, container }) =>
    objects(container, "ports").map((port, index) => ({ at: `${at}.ports[${index}]`, port })),
  );
  return [...overlapWarnings(ports), ...nameWarnings(ports)];
}

function overlapWarnings(ports: readonly PlacedPort[]): readonly string[] {
  const byNumber = new Map<string, PlacedPort[]>();
  return ports.flatMap((placed) => {
    const { port } = placed;
    const unused = addressWarning(placed);
    const key = `${count(port, "containerPort")}/${text(port, "protocol")}`;
    const others = byNumber.get(key);
    if (others === undefined) {
      byNumber.set(key, [placed]);
      return unused;
    }
    const warnings = others.flatMap((other) => overlapOf(placed, other));
    others.push(placed);
    return [...unused, ...warnings];
  });
}

// The server prints the port as its language prints a struct.
function addressWarning({ at, port }: PlacedPort): readonly string[] {
  const hostIp = text(port, "hostIP");
  if (hostIp === "" || count(port, "hostPort") !== 0) return [];
  const number = count(port, "containerPort");
  const names = `Name:${text(port, "name")} HostPort:0 ContainerPort:${number}`;
  const shown = `{${names} Protocol:${text(port, "protocol")} HostIP:${hostIp}}`;
  return [`${at}: hostIP set without hostPort: ${shown}`];
}

function overlapOf({ at, port }: PlacedPort, other: PlacedPort): readonly string[] {
  const hostIp = text(port, "hostIP");
  const hostPort = count(port, "hostPort");
  const otherIp = text(other.port, "hostIP");
  const otherPort = count(other.port, "hostPort");
  if (hostIp === otherIp && hostPort === otherPort) {
    return [`${at}: duplicate port definition with ${other.at}`];
  }
  if (hostPort === 0 || otherPort === 0) {
    return [`${at}: overlapping port definition with ${other.at}`];
  }
  const isAmbiguous = hostPort === otherPort && (hostIp === "") !== (otherIp === "");
  return isAmbiguous ? [`${at}: dangerously ambiguous port definition with ${other.at}`] : [];
}

function nameWarnings(ports: readonly PlacedPort[]): readonly string[] {
  const first = new Map<string, string>();
  return ports.flatMap(({ at, port }) => {
    const name = text(port, "name");
    const other = first.get(name);
    if (name === "") return [];
    if (other === undefined) {
      first.set(name, at);
      return [];
    }
    const effect = `services and probes that select ports by name will use ${other}`;
    return [`${at}: duplicate port name ${goQuote(name)} with ${other}, ${effect}`];
  });
}
