import {
  aBoolean,
  aNumber,
  anInteger,
  anything,
  aSignal,
  aString,
  oneOf,
  type OptionsOf,
  type OptionCheck,
} from "@listwatch/core-fifo/base";

/** Options of a request. */
export interface RequestOptions {
  /** Aborts the request, which rejects with the reason of the signal. @default none */
  readonly signal?: AbortSignal | undefined;
  /** Time limit of the request with all its repetitions, in milliseconds. @default the client's */
  readonly timeoutMs?: number | undefined;
  /** Maximum number of repetitions after a failure; 0 for none. @default the client's */
  readonly retries?: number | undefined;
}

/** Checks of {@link RequestOptions}. */
export const requestTable: OptionsOf<RequestOptions> = {
  signal: aSignal,
  timeoutMs: aNumber(1),
  retries: anInteger(0),
};

/** Reaction of the server to unknown and duplicate fields. */
export type FieldValidation = "Strict" | "Warn" | "Ignore";

/** Options of a request that writes. */
export interface WriteOptions extends RequestOptions {
  /** Whether the server checks everything and stores nothing. @default the client's */
  readonly dryRun?: boolean | undefined;
  /** Name of the manager of the written fields. @default the client's */
  readonly fieldManager?: string | undefined;
  /**
   * Reaction of the server to unknown and duplicate fields: an error, a warning, or none.
   *
   * @default the client's
   */
  readonly fieldValidation?: FieldValidation | undefined;
}

/** Checks of {@link WriteOptions}, which are also options of a client. */
export const writeTable: OptionsOf<WriteOptions> = {
  ...requestTable,
  dryRun: aBoolean,
  fieldManager: aString,
  fieldValidation: oneOf("Strict", "Warn", "Ignore"),
};

/** Options of a request that replaces an object. */
export interface UpdateOptions extends WriteOptions {
  /**
   * Whether the update may remove fields of the object, because it was read with some `fields` or
   * metadata only, or as protobuf from a server that is newer than this version of listwatch.
   * Otherwise it is refused with a {@link DroppedFieldsError}.
   *
   * @default false
   */
  readonly allowDroppedFields?: boolean | undefined;
}

/** Checks of {@link UpdateOptions}. */
export const updateTable: OptionsOf<UpdateOptions> = {
  ...writeTable,
  allowDroppedFields: aBoolean,
};

/** Type of a patch, named after the media type. */
export type PatchType = "merge" | "json" | "strategic" | "apply";

/** Options of a patch. */
export interface PatchOptions<Type extends PatchType = PatchType> extends WriteOptions {
  /**
   * Custom resources do not support `strategic`.
   *
   * @default "merge" (RFC 7396)
   */
  readonly type?: Type | undefined;
  /**
   * Whether an apply takes over fields of other managers.
   *
   * @default false
   */
  readonly force?: boolean | undefined;
}

/** Checks of {@link PatchOptions}. */
export const patchTable: OptionsOf<PatchOptions> = {
  ...writeTable,
  type: oneOf("merge", "json", "strategic", "apply"),
  force: aBoolean,
};

/** Options of a server-side apply. */
export interface ApplyOptions extends WriteOptions {
  /** Subresource to apply to, such as `status`. @default the resource itself */
  readonly subresource?: string | undefined;
  /**
   * Whether to take over fields of other managers. Otherwise the apply fails with a conflict, whose
   * causes contain the managers and fields.
   *
   * @default false
   */
  readonly force?: boolean | undefined;
}

/** Checks of {@link ApplyOptions}. */
export const applyTable: OptionsOf<ApplyOptions> = {
  ...writeTable,
  subresource: aString,
  force: aBoolean,
};

/** Options of a delete. */
export interface DeleteOptions extends RequestOptions {
  /** Required uid of the object; otherwise the delete fails with a conflict. @default none */
  readonly uid?: string | undefined;
  /** Required state of the object; otherwise the delete fails with a conflict. @default none */
  readonly resourceVersion?: string | undefined;
  /**
   * Treatment of the objects that this one owns: deleted after it, deleted before it, or kept.
   *
   * @default the server's, usually Background
   */
  readonly propagationPolicy?: "Background" | "Foreground" | "Orphan" | undefined;
  /** Time for a pod to end, in seconds. @default the pod's */
  readonly gracePeriodSeconds?: number | undefined;
  /** Whether the server checks everything and deletes nothing. @default the client's */
  readonly dryRun?: boolean | undefined;
}

/** A precondition that is not a string would not be checked. */
const aPrecondition: OptionCheck = (value) =>
  value === "" ? "a string that is not empty" : aString(value);

/** Checks of {@link DeleteOptions}. */
export const deleteTable: OptionsOf<DeleteOptions> = {
  ...requestTable,
  uid: aPrecondition,
  resourceVersion: aPrecondition,
  propagationPolicy: oneOf("Background", "Foreground", "Orphan"),
  gracePeriodSeconds: anInteger(0),
  dryRun: aBoolean,
};

/** Selects objects of a collection. */
export interface Selection {
  /** Namespace of the objects. @default all namespaces, or a cluster-scoped resource */
  readonly namespace?: string | undefined;
  /** Selector in the server's syntax, such as `app=web,tier!=db`. @default none, all objects */
  readonly labelSelector?: string | undefined;
  /**
   * Selector in the server's syntax, such as `spec.nodeName=worker-1`. Few fields are supported for
   * each kind.
   *
   * @default none, all objects
   */
  readonly fieldSelector?: string | undefined;
}

/** Checks of {@link Selection}. */
export const selectionTable: OptionsOf<Selection> = {
  namespace: anything,
  labelSelector: aString,
  fieldSelector: aString,
};

/** Options of the deletion of many objects: a selector, or `all`. */
export interface DeleteCollectionOptions extends Selection, Omit<DeleteOptions, "uid"> {
  /** Whether to select all objects of the namespace, or of the cluster. @default false */
  readonly all?: boolean | undefined;
}

const { uid: _, ...deleteAllTable } = deleteTable;

/** Checks of {@link DeleteCollectionOptions}. */
export const deleteCollectionTable: OptionsOf<DeleteCollectionOptions> = {
  ...selectionTable,
  ...deleteAllTable,
  all: aBoolean,
};

/** Returns the query parameters of every write. */
export function writeQuery(options: WriteOptions): Readonly<Record<string, string | undefined>> {
  const { dryRun, fieldManager, fieldValidation } = options;
  return { dryRun: dryRun === true ? "All" : undefined, fieldManager, fieldValidation };
}

/** Returns the options that concern attempts. */
export function attemptsOf({ signal, timeoutMs, retries }: RequestOptions): RequestOptions {
  return { signal, timeoutMs, retries };
}

/** Returns the body of a delete. */
export function deleteBody(options: Omit<DeleteOptions, keyof RequestOptions>): object {
  const { uid, resourceVersion, propagationPolicy, gracePeriodSeconds, dryRun } = options;
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
