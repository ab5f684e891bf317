import type { UserInfo } from "../api/access.ts";

/** The operation of a request on an object. */
export type AdmissionOperation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

/** Selects the writes that a plugin sees: those that fit every given member. */
export interface AdmissionMatch {
  /** Operations that the plugin sees. @default all */
  readonly operations?: readonly AdmissionOperation[] | undefined;
  /** `""` is the core group, `"*"` all groups. @default all */
  readonly apiGroups?: readonly string[] | undefined;
  /**
   * Patterns as in webhook rules: `pods`, `pods/status`, `pods/*` (the resource and its
   * subresources), `*` (all resources), `*` with a subresource, `*` with `/*` (everything).
   *
   * @default everything
   */
  readonly resources?: readonly string[] | undefined;
}

/** An object passed to admission plugins: a copy that they may change. */
export interface AdmissionObject {
  /** Group and version, such as `apps/v1`. */
  apiVersion?: string | undefined;
  /** Kind, such as `Deployment`. */
  kind?: string | undefined;
  /** Metadata of the object. */
  metadata: {
    /** Name; absent for a create with `generateName`. */
    name?: string | undefined;
    /** Namespace; absent for cluster-scoped objects. */
    namespace?: string | undefined;
    /** Labels of the object. */
    labels?: Record<string, string> | undefined;
    /** Annotations of the object. */
    annotations?: Record<string, string> | undefined;
    /** Any other member of the metadata. */
    [field: string]: unknown;
  };
  /** Any other member of the object, such as `spec`. */
  [field: string]: unknown;
}

/** A write passed to admission plugins: the `request` of an AdmissionReview. */
export interface AdmissionRequest {
  /** Id of this review. Each request has another one. */
  readonly uid: string;
  /** Type of the object. */
  readonly kind: {
    /** API group of the kind; `""` for the core group. */
    readonly group: string;
    /** Version of the kind. */
    readonly version: string;
    /** Name of the kind, such as `Pod`. */
    readonly kind: string;
  };
  /** Resource of the request. */
  readonly resource: {
    /** API group of the resource; `""` for the core group. */
    readonly group: string;
    /** Version of the resource. */
    readonly version: string;
    /** Plural name, such as `pods`. */
    readonly resource: string;
  };
  /** Name of the subresource; `""` for the resource itself. */
  readonly subResource: string;
  /** Name of the object; `""` for a create with `generateName`. */
  readonly name: string;
  /** Namespace of the object; `""` for cluster-scoped resources. */
  readonly namespace: string;
  /** Operation of the request. */
  readonly operation: AdmissionOperation;
  /** Sender of the request. */
  readonly userInfo: UserInfo;
  /** The object as it would be stored; null for a delete. */
  readonly object: AdmissionObject | null;
  /** The stored object; null for a create. */
  readonly oldObject: AdmissionObject | null;
  /** Whether nothing is stored. */
  readonly dryRun: boolean;
  /**
   * CreateOptions, UpdateOptions, PatchOptions or DeleteOptions, with the members that the query
   * sets.
   */
  readonly options: Readonly<Record<string, unknown>>;
}

/** An operation of a JSON Patch (RFC 6902). */
export interface AdmissionPatchOperation {
  /** Operation of RFC 6902. */
  readonly op: "add" | "copy" | "move" | "remove" | "replace" | "test";
  /** Target, as a JSON pointer. */
  readonly path: string;
  /** Source of a `copy` or `move`, as a JSON pointer. */
  readonly from?: string | undefined;
  /** Value of an `add`, `replace` or `test`. */
  readonly value?: unknown;
}

/** The decision of a plugin about a write. */
export interface AdmissionVerdict {
  /** Whether the write may continue. */
  readonly allowed: boolean;
  /** The reason of a refusal, for the client. @default "without explanation" */
  readonly message?: string | undefined;
  /** Status code of a refusal. @default 403 */
  readonly code?: number | undefined;
  /** Reason of a refusal. @default "Forbidden" for code 403, otherwise none */
  readonly reason?: string | undefined;
  /** Warning headers of the response. @default none */
  readonly warnings?: readonly string[] | undefined;
}

/**
 * Inspects writes before they are stored, like an admission webhook. The functions must be
 * synchronous: the server does not wait between reading and writing an object.
 */
export interface AdmissionPlugin {
  /** Name of the plugin in the messages of refusals. */
  readonly name: string;
  /** Writes that the plugin sees. @default all, those of subresources included */
  readonly match?: AdmissionMatch | undefined;
  /**
   * Called with each create, update, patch and apply, including dry runs, before defaults are
   * filled in again and the object is validated. Changes `request.object`, or returns another
   * object or a JSON Patch.
   */
  mutate?(
    request: AdmissionRequest,
  ): Readonly<Record<string, unknown>> | readonly AdmissionPatchOperation[] | undefined | void;
  /**
   * Called with each write and each connect (exec, attach, port-forward, proxy), including dry
   * runs, after the object has been found valid. Returning nothing allows the request.
   */
  validate?(request: AdmissionRequest): AdmissionVerdict | undefined | void;
}
