import type { RequestAdmission } from "../../admission/request-admission.ts";
import { internalError } from "../../api/errors.ts";
import { runSteps } from "../../base/steps.ts";
import type { ApiObject } from "../../api/api-object.ts";
import { conform, decodeObject, type DecodeTarget } from "../../input/decode-object.ts";
import { checkWriteOptions } from "../../input/write-options.ts";
import { defineKind } from "../../kinds/define-kind.ts";
import { apiVersionOf } from "../../api/api-versions.ts";
import { loadDecoder } from "../../schema/object-decoder.ts";
import type { ResourceRequest } from "../resource-request.ts";

/** A kind that subresources take and that is not stored. */
export interface SentKind {
  readonly group?: string | undefined;
  readonly version: string;
  readonly kind: string;
  /** Group versions in which the kind has the same fields, and is taken too. @default none */
  readonly alsoTaken?: readonly string[] | undefined;
}

/** Creates the decoding target of a kind that is not stored. */
export function targetOfKind({ alsoTaken, group, kind, version }: SentKind): DecodeTarget {
  const { definition } = defineKind({ group, kind, version });
  const [served] = definition.versions;
  if (served === undefined) throw new TypeError(`Kind ${kind} has no version`);
  const apiVersion = apiVersionOf(definition.group, served.name);
  const strategy = { decoder: () => loadDecoder(apiVersion, definition.kind) };
  return { definition, served, strategy, alsoTaken };
}

/** Reads the object that a POST to a subresource sends. @throws {ApiError} 400, 413 and 415 */
export async function decodeSent(
  { admission, body, info, warnings }: ResourceRequest,
  sent: SentKind,
): Promise<ApiObject> {
  checkWriteOptions(info.query, "CreateOptions");
  const target = targetOfKind(sent);
  const object = await decodeObject(target, body, { query: info.query, warnings });
  return admission === undefined
    ? object
    : admitSent(admission, withNamespace(object, info.namespace), { target, name: info.name });
}

// k8s.io/apiserver create.go, `EnsureObjectNamespaceMatchesRequestNamespace`.
function withNamespace(object: ApiObject, namespace: string): ApiObject {
  const { metadata } = object;
  if ((metadata.namespace ?? "") !== "" || namespace === "") return object;
  return { ...object, metadata: { ...metadata, namespace } };
}

async function admitSent(
  admission: RequestAdmission,
  sent: ApiObject,
  { name, target }: { readonly target: DecodeTarget; readonly name: string },
): Promise<ApiObject> {
  const { definition, served, strategy } = target;
  const { group, kind } = definition;
  const shown = admission.shownAs({
    group,
    version: served.name,
    kind,
    show: (object) => object,
    take: async (changed) => {
      const decoder = await strategy.decoder?.(served);
      return conform(target, changed, served, internalError, { decoder }).object;
    },
  });
  const creation = { operation: "CREATE", oldObject: undefined, name } as const;
  const object = await runSteps(shown.admit({ ...creation, object: sent }));
  await runSteps(shown.validate({ ...creation, object }));
  return object;
}
