import { runSteps } from "../../base/steps.ts";
import type { ApiObject } from "../../api/api-object.ts";
import { decodeObject, type DecodeTarget } from "../../input/decode-object.ts";
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
  const object = await decodeObject(targetOfKind(sent), body, { query: info.query, warnings });
  if (admission !== undefined) {
    const { group = "", kind, version } = sent;
    const view = { group, version, kind, show: (shown: ApiObject) => shown };
    const creation = {
      operation: "CREATE",
      object,
      oldObject: undefined,
      name: info.name,
    } as const;
    await runSteps(admission.shownAs(view).check(creation));
  }
  return object;
}
