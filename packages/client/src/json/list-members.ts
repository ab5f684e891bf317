import { isRecord } from "@listwatch/core-fifo/base";
import { createNotAListError } from "../errors/decode-errors.ts";
import { asNumber, asRecord, asText, checkMembers } from "../resource/checked-members.ts";
import type { ListMeta } from "../resource/list-watch.ts";

const metaMembers = {
  resourceVersion: asText,
  continue: asText,
  remainingItemCount: asNumber,
  shardInfo: asRecord({ selector: asText }),
};

/** Members of a list that a decoder has read, except its items. Each is checked when it is read. */
export class ListMembers {
  apiVersion: string | undefined;
  kind: string | undefined;
  metadata: ListMeta | undefined;
  #hasItems = false;

  /**
   * Takes a member, or the beginning of the items as `null`. Ignores unknown members and `null`,
   * which Go writes for absent ones.
   *
   * @returns what the value should be, if it is something else
   * @throws {ListwatchError} with the code `LW_NOT_A_LIST` if it is `items` and no array
   */
  take(key: string, value: unknown): string | undefined {
    if (key === "items") {
      if (this.#hasItems) return "items only once";
      if (value !== null) throw createNotAListError(`items of type ${typeof value}`);
      this.#hasItems = true;
    } else if (value !== null) {
      if (key === "metadata") return this.#takeMetadata(value);
      if (key !== "kind" && key !== "apiVersion") return undefined;
      if (typeof value !== "string") return `${key} as a string`;
      this[key] = value;
    }
    return undefined;
  }

  /** @throws {ListwatchError} with the code `LW_NOT_A_LIST` if these are not the members of a list */
  checkIsList(): void {
    const { kind } = this;
    if (this.#hasItems || kind?.endsWith("List") === true || kind === "Table") return;
    throw createNotAListError(`an object of kind ${JSON.stringify(kind) ?? "undefined"}`);
  }

  // Without its resourceVersion, a watch after the list would start anywhere. Without its continue
  // token, the list would look complete. Both are worse than an error.
  #takeMetadata(value: unknown): string | undefined {
    if (!isRecord(value)) return "metadata as an object";
    if (!isTextOrNull(value["resourceVersion"])) return "metadata.resourceVersion as a string";
    if (!isTextOrNull(value["continue"])) return "metadata.continue as a string";
    this.metadata = checkMembers(value, metaMembers);
    return undefined;
  }
}

function isTextOrNull(value: unknown): boolean {
  return typeof value === "string" || value === null || value === undefined;
}
