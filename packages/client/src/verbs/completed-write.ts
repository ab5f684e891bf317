import type { ObjectName } from "@listwatch/core-fifo";
import type { ResourceReference } from "../resource/resource.ts";

/** A write that the server has carried out and stored, with its answer. */
export interface CompletedWrite {
  /** Requested action. A server-side apply is a `patch`. */
  readonly verb: "create" | "delete" | "patch" | "update";
  /** Resource of the request. */
  readonly resource: ResourceReference<unknown>;
  /** Name of the subresource that was written. @default none, the object itself */
  readonly subresource?: string | undefined;
  /** Name and namespace of the object; its name is `""` if the server has generated it. */
  readonly object: ObjectName;
  /**
   * State of the object that the write required: its resourceVersion; `""` for a create, which
   * requires that there is none.
   *
   * @default none, the write had no precondition
   */
  readonly precondition?: string | undefined;
  /** Uid that a delete required. @default none */
  readonly uid?: string | undefined;
  /**
   * When the write was sent: its place among the requests and answers of all writes of this
   * program.
   *
   * @default unknown
   */
  readonly began?: number | undefined;
  /** When it was answered, in the same order. @default unknown */
  readonly ended?: number | undefined;
  /** The server's answer: usually the object, after a delete often a Status. */
  readonly answer: unknown;
}

/** Called with each completed write, before the caller gets the answer. Must not throw. */
export type WriteObserver = (write: CompletedWrite) => void;
