import { styleText } from "node:util";
import { metaNamespaceKey, type KubernetesObject } from "@listwatch/core-fifo";
import { describeChanges } from "./describe-changes.ts";

const colors = { ADDED: "green", MODIFIED: "yellow", DELETED: "red" } as const;

/** Output format of events. */
export type Format = "lines" | "ndjson" | "yaml";
type EventType = keyof typeof colors;
/** Writes one event; `before` is the former state. */
type Printer = (type: EventType, object: KubernetesObject, before?: KubernetesObject) => void;

/** Creates a printer of events to standard output. */
export async function createPrinter(format: Format): Promise<Printer> {
  if (format === "lines") return printLine;
  if (format === "ndjson") {
    return (type, object) => console.log(JSON.stringify({ type, object }));
  }
  const { stringify } = await import("yaml");
  return (type, object) => console.log(`---\n# ${type}\n${stringify(object).trimEnd()}`);
}

function printLine(type: EventType, object: KubernetesObject, before?: KubernetesObject): void {
  const time = new Date().toISOString().slice(11, 23);
  const changes = before === undefined ? "" : `  ${printable(describeChanges(before, object))}`;
  // Only colours terminals, and respects NO_COLOR.
  const word = styleText(colors[type], type.padEnd(8), { stream: process.stdout });
  console.log(`${time} ${word} ${printable(metaNamespaceKey(object))}${changes}`);
}

/** Removes control characters, which text from a server may contain, before it reaches the terminal. */
export function printable(text: string): string {
  return text.replaceAll(/\p{C}+/gu, " ");
}
