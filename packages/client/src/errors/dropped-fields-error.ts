import { ListwatchError } from "@listwatch/core-fifo";

/**
 * An object would be replaced by one that lacks fields of it: it was read as protobuf, which has
 * fields that this version of listwatch does not know and has dropped. No request was sent. Code
 * `LW_DROPPED_FIELDS`.
 */
export class DroppedFieldsError extends ListwatchError {
  override readonly name: string = "DroppedFieldsError";
  /** The object: `namespace/name`, or `name` without namespace. */
  readonly key: string;

  constructor(key: string) {
    super(
      "LW_DROPPED_FIELDS",
      `Cannot update ${JSON.stringify(key)}: expected an object with all fields that the server ` +
        "has sent, got one that was read as protobuf and lacks some that this version does not " +
        "know; patch or apply what is to change, read it with a client, which asks for JSON, or " +
        "say allowDroppedFields",
    );
    this.key = key;
  }
}
