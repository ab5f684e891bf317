import type { ObjectIdentity } from "@listwatch/client";
import { ListwatchError, type ObjectMeta, isBelow } from "@listwatch/core-fifo/base";

/**
 * How the server's history relates to the stored one:
 *
 * - `same`: it continues the one that the store shows
 * - `doubted`: it may be another one; the next list is the newest, and reuses nothing
 * - `other`: the same, and that has been reported
 */
export type HistoryState = "same" | "doubted" | "other";

/**
 * The server's resourceVersions went back: its storage was restored to an earlier state, or another
 * server has its address. Code `LW_OTHER_HISTORY`.
 */
export class OtherHistoryError extends ListwatchError {
  override readonly name: string = "OtherHistoryError";
  /** The resourceVersion up to which the store had been brought. */
  readonly seen: string;
  /** The resourceVersion that came. */
  readonly got: string;

  constructor(name: string, seen: string, got: string) {
    super(
      "LW_OTHER_HISTORY",
      `Cannot continue ${name} from resourceVersion ${seen}: the server is at ${got}, so that ` +
        "its storage was restored or replaced",
      {
        advice:
          "The server was restored or replaced; everything is listed again. Check that this was " +
          "intended",
      },
    );
    this.seen = seen;
    this.got = got;
  }
}

/**
 * Whether an object cannot follow the one of the same name that is held: within one history a new
 * object has a higher resourceVersion.
 */
export function isOfOtherHistory(
  held: ObjectMeta,
  { resourceVersion, uid }: Pick<ObjectIdentity, "resourceVersion" | "uid">,
): boolean {
  const isOtherObject = typeof held.uid === "string" && uid !== "" && held.uid !== uid;
  return isOtherObject && isBelow(resourceVersion, held.resourceVersion ?? "");
}
