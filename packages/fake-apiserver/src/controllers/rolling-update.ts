import type { ApiObject } from "../api/api-object.ts";
import { count, field, text } from "../base/read-fields.ts";

/** Returns a number or a percentage of a total as a number. */
export function resolveShare(value: unknown, total: number, rounding: "down" | "up"): number {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || !value.endsWith("%")) return 0;
  const share = (Number.parseInt(value, 10) * total) / 100;
  return rounding === "up" ? Math.ceil(share) : Math.floor(share);
}

/** Limits of a rolling update in pods. */
export interface RollingLimits {
  readonly surge: number;
  readonly unavailable: number;
}

/**
 * Returns the limits of a Deployment's update; at least one of them is not 0 (k8s.io/kubernetes
 * pkg/controller/deployment/util `ResolveFenceposts`).
 */
export function rollingLimits(deployment: ApiObject): RollingLimits {
  if (text(deployment, "spec", "strategy", "type") !== "RollingUpdate") {
    return { surge: 0, unavailable: 0 };
  }
  const replicas = count(deployment, "spec", "replicas");
  const limit = (name: string): unknown =>
    field(deployment, "spec", "strategy", "rollingUpdate", name);
  const surge = resolveShare(limit("maxSurge"), replicas, "up");
  const unavailable = resolveShare(limit("maxUnavailable"), replicas, "down");
  const least = surge === 0 && unavailable === 0 ? 1 : unavailable;
  return { surge, unavailable: Math.min(least, replicas) };
}
