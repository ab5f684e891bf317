import { isRecord, recordOf, type JsonObject } from "@listwatch/core-fifo/base";
import type { Result } from "../output/result.ts";
import type { ApiObject, ScalePaths } from "../api/resource-definition.ts";
import { badRequest, internalError, invalid } from "../api/errors.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { checkVersion, writeUpdate } from "./apply-update.ts";
import { decodeText } from "../input/decode-object.ts";
import { existingObject, readObject } from "./get.ts";
import { decodeObjectMeta } from "../input/object-meta.ts";
import { decodePatch, patchType } from "./patch.ts";
import type { ResourceRequest } from "./resource-request.ts";
import { formatLabelSelector } from "../selectors/format-label-selector.ts";
import { checkAddress } from "./update.ts";
import { checkWriteOptions } from "../input/write-options.ts";

const scaleKind = "Scale";
const scaleApiVersion = "autoscaling/v1";

/** GET of a scale subresource. */
export async function getScale(request: ResourceRequest, paths: ScalePaths): Promise<Result> {
  return document(scaleOf(await readObject(request), paths));
}

/** PUT of a scale subresource. The version of the object counts only if it is given. */
export async function updateScale(request: ResourceRequest, paths: ScalePaths): Promise<Result> {
  const { info } = request;
  checkWriteOptions(info.query, "UpdateOptions");
  const text = await request.body.text();
  const { value } = decodeText(text, request.body.format(), scaleKind);
  if (!isRecord(value) || value["kind"] !== scaleKind || value["apiVersion"] !== scaleApiVersion) {
    const { apiVersion, kind } = recordOf(value);
    throw badRequest(
      `${String(kind)} in version ${JSON.stringify(apiVersion)} cannot be handled as a ${scaleKind}`,
    );
  }
  return writeScale(request, paths, existingObject(request), value);
}

/** PATCH of a scale subresource. */
export async function patchScale(request: ResourceRequest, paths: ScalePaths): Promise<Result> {
  const type = patchType(request);
  const text = await request.body.text();
  checkWriteOptions(request.info.query, "PatchOptions");
  const existing = existingObject(request);
  const patched = decodePatch(type, text).apply(scaleOf(existing, paths));
  return writeScale(request, paths, existing, recordOf(patched));
}

function writeScale(
  request: ResourceRequest,
  paths: ScalePaths,
  existing: StoredObject,
  scale: JsonObject,
): Result {
  const { definition } = request;
  const { metadata } = decodeObjectMeta(scale["metadata"]);
  checkAddress(request, metadata);
  if ((metadata.resourceVersion ?? "") !== "") checkVersion(definition, existing, metadata);
  const replicas = recordOf(scale["spec"])["replicas"] ?? 0;
  if (typeof replicas !== "number" || !Number.isInteger(replicas)) {
    throw badRequest(
      `${scaleKind} in version "v1" cannot be handled as a ${scaleKind}: json: cannot unmarshal ${typeof replicas} into Go struct field ScaleSpec.spec.replicas of type int32`,
    );
  }
  if (replicas < 0 && !definition.custom) {
    throw invalid(definition.group, definition.kind, existing.name, [
      {
        reason: "FieldValueInvalid",
        field: "spec.replicas",
        message: `Invalid value: ${replicas}: must be greater than or equal to 0`,
      },
    ]);
  }
  const changed = withValue(existing.object, segments(paths.specReplicas), replicas);
  const object = request.presenter.withTypeMeta({ ...changed, metadata: existing.object.metadata });
  return document(scaleOf(writeUpdate(request, existing, object), paths));
}

function document(body: JsonObject): Result {
  return { type: "document", code: 200, body };
}

/**
 * The Scale of an object.
 *
 * @throws {ApiError} 500 when the object does not say how many replicas it wants
 */
function scaleOf({ object }: StoredObject, paths: ScalePaths): JsonObject {
  const { creationTimestamp, name, namespace, resourceVersion, uid } = object.metadata;
  const replicas = valueAt(object, segments(paths.specReplicas));
  if (typeof replicas !== "number") {
    throw internalError(`the spec replicas field "${paths.specReplicas}" does not exist`);
  }
  const current = valueAt(object, segments(paths.statusReplicas));
  const selector =
    paths.labelSelector === undefined
      ? ""
      : formatLabelSelector(valueAt(object, segments(paths.labelSelector)));
  return {
    kind: scaleKind,
    apiVersion: scaleApiVersion,
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: { replicas },
    status: {
      replicas: typeof current === "number" ? current : 0,
      ...(selector === "" ? {} : { selector }),
    },
  };
}

function segments(path: string): readonly string[] {
  return path.split(".").filter((segment) => segment !== "");
}

function valueAt(object: ApiObject, path: readonly string[]): unknown {
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
