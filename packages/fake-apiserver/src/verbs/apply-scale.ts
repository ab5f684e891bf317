import type { ApiError } from "../api/api-error.ts";
import { plainServerError } from "../api/errors.ts";
import { conform } from "../input/decode-object.ts";
import { loadDecoder } from "../schema/object-decoder.ts";
import type { ScalePaths } from "../api/resource-definition.ts";
import { checkApplyOptions } from "../input/write-options.ts";
import type { Steps } from "../base/steps.ts";
import type { Result } from "../output/result.ts";
import { applyConfiguration } from "../ownership/apply-configuration.ts";
import { ApplyWriter } from "../ownership/field-writer.ts";
import {
  checkConfiguration,
  checkConflicts,
  readConfiguration,
  withoutSystemFields,
} from "./configuration.ts";
import { scaleOwnership } from "./field-writers.ts";
import { scaleEntries } from "./scale-writer.ts";
import { existingObject } from "./get.ts";
import type { ResourceRequest } from "./resource-request.ts";
import { inRequestVersion, runWrite } from "./run-write.ts";
import {
  changedScaleOf,
  readReplicas,
  scaleApiVersion,
  scaleKind,
  scaleTarget,
  writeReplicas,
} from "./scale-object.ts";

/** PATCH of a scale subresource by server-side apply. */
export async function applyScale(request: ResourceRequest, paths: ScalePaths): Promise<Result> {
  const { body, core, definition, info, store, warnings } = request;
  const { query } = info;
  const text = await body.text();
  checkApplyOptions(query);
  const kind = { apiVersion: scaleApiVersion, kind: scaleKind };
  const configuration = await readConfiguration(text, kind, { query, warnings });
  const owner = await scaleOwnership(info, core.clock, kind);
  const decoder = await loadDecoder(scaleApiVersion, scaleKind);
  return runWrite(function* (): Steps<Result> {
    const existing = yield* inRequestVersion(request, existingObject(definition, store, info));
    checkConfiguration(configuration, owner);
    const entries = scaleEntries(request, existing.object);
    const applied = applyConfiguration(
      changedScaleOf(existing, paths),
      withoutSystemFields(configuration),
      entries.ofScale(),
      owner,
    );
    checkConflicts(query, applied.conflicts);
    if (definition.custom) throw unconvertibleScale(existing.name);
    const { object } = conform(scaleTarget, applied.object, undefined, plainServerError, {
      decoder,
    });
    const replicas = readReplicas(definition, info, existing, object);
    const writer = new ApplyWriter(entries.afterWrite(applied.entries));
    return yield* writeReplicas(request, paths, existing, replicas, writer);
  });
}

// A server cannot store an applied scale of a custom resource: its handler of field managers asks
// the converter of definitions for the version of the scale.
function unconvertibleScale(name: string): ApiError {
  const to = `(/${name}; ${scaleApiVersion}, Kind=${scaleKind}) to proper version`;
  const why = `request to convert CR to an invalid group/version: ${scaleApiVersion}`;
  return plainServerError(`failed to convert new object ${to}: ${why}`);
}
