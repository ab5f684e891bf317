import type { JsonObject } from "@listwatch/core-fifo/base";
import { compareBytes } from "../../../base/go-text.ts";

/** A violation of a standard by a pod. */
export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

/** A pod, or the template of pods. */
export interface PodShape {
  readonly metadata: JsonObject;
  readonly spec: JsonObject;
}

/** A container, with its security context. */
export interface Container {
  readonly name: string;
  readonly context: JsonObject;
  readonly whole: JsonObject;
}

/** Data that all checks of a pod share. */
export interface Checked extends PodShape {
  readonly context: JsonObject;
  /** In the order in which they start. */
  readonly containers: readonly Container[];
  readonly isWindows: boolean;
  /** Its users are not those of the node. */
  readonly hasOwnUsers: boolean;
  /** The minor version of Kubernetes whose standard counts. */
  readonly minor: number;
}

/** Checks a pod; returns `undefined` if it has no violation. */
export type Check = (pod: Checked) => Violation | undefined;

/** A check with the minor version that has it first. */
export type Since = readonly [check: Check, minor: number];

/** Who sets something: the pod, some containers, or both. */
export function settersOf(isPod: boolean, containers: readonly Container[]): string[] {
  return [
    ...(isPod ? ["pod"] : []),
    ...(containers.length > 0 ? [containersNamed(containers)] : []),
  ];
}

/** The forbidden values that the pod and its containers set, each once. */
export function badValues(
  { containers, context }: Checked,
  read: (context: JsonObject) => string | undefined,
  isBad: (value: string | undefined) => boolean,
): readonly string[] {
  const values = [context, ...containers.map((one) => one.context)].map(read).filter(isBad);
  return sortedSet(values.map((value) => value ?? ""));
}

/** `container "a"` or `containers "a", "b"` */
export function containersNamed(containers: readonly Container[]): string {
  const names = containers.map(({ name }) => name);
  return `${plural(names, "container", "containers")} ${quoted(names)}`;
}

export function plural(list: readonly unknown[], one: string, many: string): string {
  return list.length === 1 ? one : many;
}

export function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}

export function sortedSet(values: readonly string[]): readonly string[] {
  return [...new Set(values)].toSorted(compareBytes);
}
