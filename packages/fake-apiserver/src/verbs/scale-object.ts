import { recordOf, type JsonObject } from "@listwatch/core-fifo/base";
import type { Steps } from "../base/steps.ts";
import type { Presenter } from "../output/presenter.ts";
import type { Result } from "../output/result.ts";
import type { ApiObject } from "../api/api-object.ts";
import type { ResourceDefinition, ScalePaths } from "../api/resource-definition.ts";
import { badRequest, internalError, invalid } from "../api/errors.ts";
import type { ObjectAddress, StoredObject } from "../storage/stored-object.ts";
import { checkVersion, writeUpdate } from "./apply-update.ts";
import type { FieldWriter } from "../ownership/field-writer.ts";
import { count } from "../base/read-fields.ts";
import type { DecodeTarget } from "../input/decode-object.ts";
import { formatLabelSelector } from "../selectors/format-label-selector.ts";
import { targetOfKind } from "./subresources/sent-kind.ts";
import { inRequestVersion } from "./run-write.ts";
import { checkAddress } from "./update.ts";
import type { ResourceWrite } from "./write.ts";

/** The kind of every scale subresource. */
export const scaleKind = "Scale";
const scaleGroup = "autoscaling";
// k8s.io/apiextensions-apiserver etcd.go: `invalidSpecReplicas`.
const noReplicas = -2_147_483_648;
/** Its version. */
export const scaleApiVersion: string = `${scaleGroup}/v1`;

/**
 * The number of replicas that a Scale asks for.
 *
 * @throws {ApiError} for a Scale of another object or version, and for a number that cannot be
 */
export function readReplicas(
  definition: ResourceDefinition,
  address: ObjectAddress,
  existing: StoredObject,
  scale: ApiObject,
): number {
  const { metadata } = scale;
  checkAddress(definition, address, metadata);
  if ((metadata.resourceVersion ?? "") !== "") checkVersion(definition, existing, metadata);
  const replicas = count(scale, "spec", "replicas");
  if (replicas < 0 && !definition.custom) {
    throw invalid(scaleGroup, scaleKind, existing.name, [
      {
        reason: "FieldValueInvalid",
        field: "spec.replicas",
        message: `Invalid value: ${replicas}: must be greater than or equal to 0`,
      },
    ]);
  }
  return replicas;
}

const scaleType = { group: "autoscaling", version: "v1", kind: scaleKind } as const;
/** How a Scale is decoded. */
export const scaleTarget: DecodeTarget = targetOfKind(scaleType);

/**
 * Writes the number of replicas, and answers with the Scale.
 *
 * @throws {ApiError} 400 when a patch leaves an object without a number as it is
 */
export function* writeReplicas(
  target: ResourceWrite & { readonly presenter: Presenter },
  paths: ScalePaths,
  existing: StoredObject,
  replicas: number,
  writer: FieldWriter,
): Steps<Result> {
  if (replicas === noReplicas) {
    throw badRequest(`the spec replicas field "${paths.specReplicas}" cannot be empty`);
  }
  const changed = withValue(existing.object, segments(paths.specReplicas), replicas);
  const { metadata } = existing.object;
  const object = target.presenter.withTypeMeta({ ...changed, metadata });
  const admission = target.admission?.shownAs({
    ...scaleType,
    show: (one) => scaleOf({ object: one }, paths),
    take: async (scale) => {
      const wanted = count(scale, "spec", "replicas");
      return target.presenter.withTypeMeta({
        ...withValue(existing.object, segments(paths.specReplicas), wanted),
        metadata,
      });
    },
  });
  const stored = yield* writeUpdate({ ...target, admission }, "scale", existing, object, writer);
  return scaleAnswer(scaleOf(yield* inRequestVersion(target, stored), paths));
}

/** The answer with a Scale. */
export function scaleAnswer(body: JsonObject): Result {
  return { type: "document", code: 200, body };
}

/**
 * The Scale of an object.
 *
 * @throws {ApiError} 500 if the object does not set its number of replicas
 */
export function scaleOf({ object }: Pick<StoredObject, "object">, paths: ScalePaths): JsonObject {
  if (typeof valueAt(object, segments(paths.specReplicas)) !== "number") {
    throw internalError(`the spec replicas field "${paths.specReplicas}" does not exist`);
  }
  return changedScaleOf({ object }, paths);
}

/** The Scale that a patch changes, whether the object wants a number or none. */
export function changedScaleOf(
  { object }: Pick<StoredObject, "object">,
  paths: ScalePaths,
): JsonObject {
  const { creationTimestamp, name, namespace, resourceVersion, uid } = object.metadata;
  const wanted = valueAt(object, segments(paths.specReplicas));
  const current = valueAt(object, segments(paths.statusReplicas));
  const selector =
    paths.labelSelector === undefined
      ? ""
      : formatLabelSelector(valueAt(object, segments(paths.labelSelector)));
  return {
    kind: scaleKind,
    apiVersion: scaleApiVersion,
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    // Go leaves a zero out.
    spec: wanted === 0 ? {} : { replicas: typeof wanted === "number" ? wanted : noReplicas },
    status: {
      replicas: typeof current === "number" ? current : 0,
      ...(selector === "" ? {} : { selector }),
    },
  };
}

/** The steps of a path such as `.spec.replicas`. */
export function segments(path: string): readonly string[] {
  return path.split(".").filter((segment) => segment !== "");
}

/** The value at a path, undefined if there is none. */
export function valueAt(object: ApiObject, path: readonly string[]): unknown {
  let value: unknown = object;
  for (const segment of path) value = recordOf(value)[segment];
  return value;
}

function withValue(object: JsonObject, path: readonly string[], value: unknown): JsonObject {
  const [first, ...rest] = path;
  if (first === undefined) return object;
  const inner = rest.length === 0 ? value : withValue(recordOf(object[first]), rest, value);
  return { ...object, [first]: inner };
}
