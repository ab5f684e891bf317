import type { JsonObject } from "@listwatch/core-fifo/base";
import type { FieldError } from "../../api/errors.ts";
import { count, field as valueAt } from "../../base/read-fields.ts";
import { invalid } from "../../validation/field-errors.ts";
import { checkNotNegative } from "../../validation/values.ts";

/** Members that are not negative. */
export function checkNumbers(
  field: string,
  object: unknown,
  names: readonly string[],
): readonly FieldError[] {
  return names.flatMap((name) => checkNotNegative(`${field}.${name}`, valueAt(object, name)));
}

/** A count, or the number of a percentage; 0 for what is neither. */
export function amountOf(value: unknown): number {
  if (typeof value === "number") return value;
  const [, percent, number] = /^(?:(\d+)%|([-+]?\d+))$/.exec(String(value)) ?? [];
  return Number(percent ?? number ?? 0);
}

/** Numbers in the status of a workload. */
export interface StatusCounts {
  /** Numbers that are not negative. */
  readonly numbers: readonly string[];
  /** Numbers that are at most `replicas`. */
  readonly parts: readonly string[];
  /** Name of the ready replicas in the message if more are available. */
  readonly ready: string;
}

/** The numbers in the status of a workload. */
export function checkStatus(
  { numbers, parts, ready }: StatusCounts,
  status: JsonObject,
  stored: JsonObject,
): readonly FieldError[] {
  const errors = [...checkNumbers("status", status, numbers)];
  const exceeds = (name: string, limit: number, shown: string): void => {
    const value = count(status, name);
    if (value <= limit) return;
    errors.push(invalid(`status.${name}`, value, `cannot be greater than ${shown}`));
  };
  for (const name of parts) exceeds(name, count(status, "replicas"), "status.replicas");
  if (parts.includes("availableReplicas")) {
    exceeds("availableReplicas", count(status, "readyReplicas"), ready);
  }
  const collisions = count(status, "collisionCount");
  if (collisions < count(stored, "collisionCount")) {
    errors.push(invalid("status.collisionCount", collisions, "cannot be decremented"));
  }
  return errors;
}
