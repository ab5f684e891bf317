import type { JsonObject } from "@listwatch/core-fifo/base";
import type { StoredObject } from "../storage/stored-object.ts";

/** One line of a watch. */
export type WatchItem =
  | {
      readonly type: "ADDED" | "MODIFIED" | "DELETED";
      /** The object's own, unless a fault has changed it. */
      readonly revision: number;
      readonly stored: StoredObject;
    }
  | { readonly type: "BOOKMARK"; readonly revision: number; readonly initialEventsEnd: boolean }
  | { readonly type: "ERROR"; readonly revision: number; readonly status: JsonObject };
