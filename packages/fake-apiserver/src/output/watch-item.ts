import type { JsonObject } from "@listwatch/core-fifo/base";
import type { StoredObject } from "../storage/stored-object.ts";

/** One line of a watch, before it is written. */
export type WatchItem =
  | {
      readonly type: "ADDED" | "MODIFIED" | "DELETED";
      readonly revision: number;
      readonly version: StoredObject;
    }
  | { readonly type: "BOOKMARK"; readonly revision: number; readonly initialEventsEnd: boolean }
  | { readonly type: "ERROR"; readonly revision: number; readonly status: JsonObject };
