import type { JsonObject } from "@listwatch/core-fifo/base";
import type { UserInfo } from "../authentication/user-info.ts";
import type { AdmissionMatch, AdmissionOperation } from "./admission-match.ts";

/** An object as admission plugins see it: a copy, which they may change. */
export interface AdmissionObject {
  apiVersion?: string | undefined;
  kind?: string | undefined;
  metadata: {
    name?: string | undefined;
    namespace?: string | undefined;
    labels?: Record<string, string> | undefined;
    annotations?: Record<string, string> | undefined;
    [field: string]: unknown;
  };
  [field: string]: unknown;
}

/** A write as admission plugins see it: the `request` of an AdmissionReview. */
export interface AdmissionRequest {
  readonly uid: string;
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly resource: {
    readonly group: string;
    readonly version: string;
    readonly resource: string;
  };
  /** "" for the resource itself. */
  readonly subResource: string;
  readonly name: string;
  /** "" for cluster-scoped resources. */
  readonly namespace: string;
  readonly operation: AdmissionOperation;
  readonly userInfo: UserInfo;
  /** The object as it would be stored; null for a delete. */
  readonly object: AdmissionObject | null;
  /** The stored object; null for a create. */
  readonly oldObject: AdmissionObject | null;
  readonly dryRun: boolean;
  /** CreateOptions, UpdateOptions, PatchOptions or DeleteOptions, as far as the query has them. */
  readonly options: JsonObject;
}

/** An operation of a JSON Patch (RFC 6902). */
export interface AdmissionPatchOperation {
  readonly op: "add" | "copy" | "move" | "remove" | "replace" | "test";
  readonly path: string;
  readonly from?: string | undefined;
  readonly value?: unknown;
}

/** What a plugin says of a write. */
export interface AdmissionVerdict {
  readonly allowed: boolean;
  /** Why not, for the client. @default "without explanation" */
  readonly message?: string | undefined;
  /** The status code of a refusal. @default 403 */
  readonly code?: number | undefined;
  /** The reason of a refusal. @default "Forbidden" for code 403, otherwise none */
  readonly reason?: string | undefined;
  /** Texts of Warning headers. @default none */
  readonly warnings?: readonly string[] | undefined;
}

/**
 * Looks at writes before they are stored, in the place of an admission webhook. The functions have
 * to answer at once: between reading and writing an object the server waits for nothing.
 */
export interface AdmissionPlugin {
  /** As the refusals name it. */
  readonly name: string;
  /** Which writes it looks at. @default all, those of subresources included */
  readonly match?: AdmissionMatch | undefined;
  /**
   * Called with each create, update, patch and apply, dry runs included, before defaults are filled
   * in once more and the object is checked. Changes `request.object`, or returns another object or
   * a JSON Patch.
   */
  mutate?(
    request: AdmissionRequest,
  ): JsonObject | readonly AdmissionPatchOperation[] | undefined | void;
  /**
   * Called with each write and each connect (exec, attach, port-forward, proxy), dry runs included,
   * when the object has been found to be valid. What it returns decides; nothing = allowed.
   */
  validate?(request: AdmissionRequest): AdmissionVerdict | undefined | void;
}
