import type { JsonObject } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import type { UserInfo } from "../api/access.ts";

/** A resource in one version. */
export interface VersionedResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** A kind in one version. */
export interface VersionedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** A form in which webhooks see the objects of a write. */
export interface ReviewedForm {
  readonly resource: VersionedResource;
  readonly kind: VersionedKind;
  /** The object in this form. It must not be modified. */
  readonly show: (object: ApiObject) => JsonObject | Promise<JsonObject>;
  /**
   * The object that a changed form stands for. Undefined for forms that webhooks cannot change.
   *
   * @throws {ApiError} 500 for one that is not an object of the resource
   */
  readonly take?: ((changed: JsonObject) => Promise<ApiObject>) | undefined;
}

/** A write that webhooks review. */
export interface ReviewedWrite {
  readonly operation: "CREATE" | "UPDATE" | "DELETE" | "CONNECT";
  /** The form of the request. */
  readonly form: ReviewedForm;
  /** Other forms of the same resource, by which rules match as well. */
  readonly equivalents: readonly ReviewedForm[];
  readonly subresource: string;
  /** `""` for a create with `generateName` and for a deletion of a collection. */
  readonly name: string;
  /** `""` for cluster-scoped resources; a namespace is in itself. */
  readonly namespace: string;
  readonly object: ApiObject | undefined;
  readonly oldObject: ApiObject | undefined;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  /** CreateOptions, UpdateOptions or DeleteOptions; null for a connect. */
  readonly options: JsonObject | null;
}
