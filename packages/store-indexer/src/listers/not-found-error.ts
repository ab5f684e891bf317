import { ListwatchError } from "@listwatch/core-fifo";

/** A resource by its group (`""` for the core group) and plural name. */
export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

/**
 * A lister found no object of this name. The message is that of the API server's 404, and
 * `isNotFound` of the client is true for both. Code `LW_NOT_FOUND`.
 */
export class NotFoundError extends ListwatchError implements GroupResource {
  override readonly name: string = "NotFoundError";
  readonly group: string;
  readonly resource: string;
  /** Name that was looked up, without its namespace. */
  readonly objectName: string;

  constructor({ group, resource }: GroupResource, objectName: string) {
    const qualified = group === "" ? resource : `${resource}.${group}`;
    super("LW_NOT_FOUND", `${qualified} ${JSON.stringify(objectName)} not found`);
    this.group = group;
    this.resource = resource;
    this.objectName = objectName;
  }
}
