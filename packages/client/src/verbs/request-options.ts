import { createInvalidOptionError } from "@listwatch/core-fifo/base";

/** Options of a request. */
export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** @default that of the client */
  readonly timeoutMs?: number | undefined;
  /** @default that of the client */
  readonly retries?: number | undefined;
}

/** What the server does with fields that it does not know, or that are there twice. */
export type FieldValidation = "Strict" | "Warn" | "Ignore";

/** Options of a request that writes. */
export interface WriteOptions extends RequestOptions {
  /** Whether the server checks everything and stores nothing. @default that of the client */
  readonly dryRun?: boolean | undefined;
  /** Name of the manager of the written fields. @default that of the client */
  readonly fieldManager?: string | undefined;
  /** @default that of the client */
  readonly fieldValidation?: FieldValidation | undefined;
}

/** Options of a request that replaces an object. */
export interface UpdateOptions extends WriteOptions {
  /**
   * Whether an object may be replaced by one that lacks fields of it, because it was read as
   * protobuf from a server that is newer than this version of listwatch. Otherwise the update is
   * refused with a {@link DroppedFieldsError}.
   *
   * @default false
   */
  readonly allowDroppedFields?: boolean | undefined;
}

/** How a patch is meant; the names are those of its media types. */
export type PatchType = "merge" | "json" | "strategic" | "apply";

/** Options of a patch. */
export interface PatchOptions<Type extends PatchType = PatchType> extends WriteOptions {
  /**
   * Custom resources do not take `strategic`.
   *
   * @default "merge" (RFC 7396)
   */
  readonly type?: Type | undefined;
  /**
   * Whether an apply takes fields over from other managers.
   *
   * @default false
   */
  readonly force?: boolean | undefined;
}

/** Options of a server-side apply. */
export interface ApplyOptions extends WriteOptions {
  /** @default the resource itself */
  readonly subresource?: string | undefined;
  /**
   * Whether fields are taken over from other managers. Without it the apply fails with a conflict,
   * whose causes name the managers and the fields.
   *
   * @default false
   */
  readonly force?: boolean | undefined;
}

/** Options of a delete. */
export interface DeleteOptions extends RequestOptions {
  /** Uid that the object must have; otherwise the delete fails with a conflict. */
  readonly uid?: string | undefined;
  /** State that the object must be in; otherwise the delete fails with a conflict. */
  readonly resourceVersion?: string | undefined;
  /** @default the server's, usually Background */
  readonly propagationPolicy?: "Background" | "Foreground" | "Orphan" | undefined;
  /** Seconds that a pod has to end. @default that of the pod */
  readonly gracePeriodSeconds?: number | undefined;
  /** Whether the server checks everything and deletes nothing. @default that of the client */
  readonly dryRun?: boolean | undefined;
}

/** Which objects of a collection are meant. */
export interface Selection {
  /** @default all namespaces, or a cluster-scoped resource */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

/** Options of a deletion of many objects: a selector, or `all`. */
export interface DeleteCollectionOptions extends Selection, Omit<DeleteOptions, "uid"> {
  /** Whether all objects of the namespace, or of the cluster, are meant. @default false */
  readonly all?: boolean | undefined;
}

/** The parameters of the query that every write has. */
export function writeQuery(options: WriteOptions): Readonly<Record<string, string | undefined>> {
  const { dryRun, fieldManager, fieldValidation } = options;
  checkDryRun(dryRun);
  return { dryRun: dryRun === true ? "All" : undefined, fieldManager, fieldValidation };
}

/** The options that are about the attempts, not about what is asked for. */
export function attemptsOf({ signal, timeoutMs, retries }: RequestOptions): RequestOptions {
  return { signal, timeoutMs, retries };
}

/** The body of a delete. */
export function deleteBody(options: Omit<DeleteOptions, keyof RequestOptions>): object {
  const { uid, resourceVersion, propagationPolicy, gracePeriodSeconds, dryRun } = options;
  checkDryRun(dryRun);
  checkPrecondition("uid", uid);
  checkPrecondition("resourceVersion", resourceVersion);
  const hasPreconditions = uid !== undefined || resourceVersion !== undefined;
  return {
    kind: "DeleteOptions",
    apiVersion: "v1",
    propagationPolicy,
    gracePeriodSeconds,
    ...(hasPreconditions ? { preconditions: { uid, resourceVersion } } : {}),
    ...(dryRun === true ? { dryRun: ["All"] } : {}),
  };
}

/** Another value than a boolean, such as the "All" of the API, must not make a write a real one. */
function checkDryRun(dryRun: unknown): void {
  if (dryRun === undefined || typeof dryRun === "boolean") return;
  throw createInvalidOptionError("dryRun", "true or false", dryRun);
}

/** A condition that is no text would be none. */
function checkPrecondition(option: string, value: unknown): void {
  if (value === undefined || (typeof value === "string" && value !== "")) return;
  throw createInvalidOptionError(option, "a text that is not empty, or undefined", value);
}
