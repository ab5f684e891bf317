import type { JsonObject } from "@listwatch/core-fifo/base";

/** The operation of a request on an object. CONNECT is exec, attach, port-forward and proxy. */
export type ReviewOperation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

/** The sender of a reviewed request. */
export interface ReviewUser {
  /** Name of the user, such as `system:serviceaccount:default:web`. */
  readonly username: string;
  /** Id of the user; absent if the authenticator knows none. */
  readonly uid?: string | undefined;
  /** Groups of the user, such as `system:authenticated`. */
  readonly groups: readonly string[];
  /** Other attributes of the user, such as the id of the credential. */
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** A kind in one version. */
export interface ReviewKind {
  /** API group of the kind; `""` for the core group. */
  readonly group: string;
  /** Version of the kind. */
  readonly version: string;
  /** Name of the kind, such as `Pod`. */
  readonly kind: string;
}

/** A resource in one version. */
export interface ReviewResource {
  /** API group of the resource; `""` for the core group. */
  readonly group: string;
  /** Version of the resource. */
  readonly version: string;
  /** Plural name, such as `pods`. */
  readonly resource: string;
}

/**
 * The `request` of an AdmissionReview as the server sends it. Its uid and resource are checked, and
 * that it has a kind, a user and the objects of its operation.
 */
export interface ReviewRequest {
  /** Id of this review. */
  readonly uid: string;
  /** Type of the object in this review. */
  readonly kind: ReviewKind;
  /** Resource of the object in this review. */
  readonly resource: ReviewResource;
  /** Subresource of the request; absent for the resource itself. */
  readonly subResource?: string | undefined;
  /** Type of the object in the request, which `matchPolicy: Equivalent` may have converted. */
  readonly requestKind?: ReviewKind | undefined;
  /** Resource of the request, before such a conversion. */
  readonly requestResource?: ReviewResource | undefined;
  /** Subresource of the request, before such a conversion. */
  readonly requestSubResource?: string | undefined;
  /** Name of the object; absent for a create with `generateName`, and for a deleted collection. */
  readonly name?: string | undefined;
  /** Namespace of the object; absent for cluster-scoped resources. */
  readonly namespace?: string | undefined;
  /** Operation of the request. */
  readonly operation: ReviewOperation;
  /** Sender of the request. */
  readonly userInfo: ReviewUser;
  /** The object as it would be stored; null for a delete. */
  readonly object: JsonObject | null;
  /** The stored object; null for a create and a connect. */
  readonly oldObject: JsonObject | null;
  /** Whether nothing is stored. */
  readonly dryRun?: boolean | undefined;
  /** CreateOptions, UpdateOptions, PatchOptions or DeleteOptions of the request. */
  readonly options?: JsonObject | null | undefined;
}
