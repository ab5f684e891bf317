import { recordOf } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../../../api/api-object.ts";
import { field, objects, text } from "../../../base/read-fields.ts";
import { baseline } from "./baseline.ts";
import type { Checked, PodShape, Violation } from "./check.ts";
import { restricted } from "./restricted.ts";

/** How much a pod may ask of its node: kubernetes.io, "Pod Security Standards". */
export type SecurityLevel = "privileged" | "baseline" | "restricted";

/** Returns a pod's violations of a standard in a minor version of Kubernetes. */
export function violationsOf(
  { metadata, spec }: PodShape,
  level: SecurityLevel,
  minor: number,
): readonly Violation[] {
  if (level === "privileged") return [];
  const pod: Checked = {
    metadata,
    spec,
    minor,
    context: recordOf(spec["securityContext"]),
    containers: ["initContainers", "containers", "ephemeralContainers"].flatMap((list) =>
      objects(spec, list).map((whole) => ({
        whole,
        name: text(whole, "name"),
        context: recordOf(whole["securityContext"]),
      })),
    ),
    isWindows: text(spec, "os", "name") === "windows",
    hasOwnUsers: spec["hostUsers"] === false,
  };
  const checks = level === "baseline" ? baseline : restricted;
  return checks.flatMap(([check, since]) => (minor < since ? [] : (check(pod) ?? [])));
}

/** `reason (detail), reason (detail)` */
export function describeViolations(violations: readonly Violation[]): string {
  return violations
    .map(({ detail, reason }) => (detail === "" ? reason : `${reason} (${detail})`))
    .join(", ");
}

/** The pod or pod template of an object. */
export function podShape(object: ApiObject, path: readonly string[]): PodShape | undefined {
  const found = path.length === 0 ? object : field(object, ...path);
  const { metadata, spec } = recordOf(found);
  return spec === undefined ? undefined : { metadata: recordOf(metadata), spec: recordOf(spec) };
}
