import { ListwatchError } from "@listwatch/core-fifo";

/** A resource by its group, `""` for the core group, and its plural name. */
export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

/**
 * A lister has no object of a name. The message is the one that the API server would send with
 * status 404, and the client's `isNotFound` is true for both. Code `LW_NOT_FOUND`.
 */
export class NotFoundError extends ListwatchError implements GroupResource {
  override readonly name: string = "NotFoundError";
  readonly group: string;
  readonly resource: string;
  /** The name that was looked up, without its namespace. */
  readonly objectName: string;

  constructor({ group, resource }: GroupResource, objectName: string) {
    const qualified = group === "" ? resource : `${resource}.${group}`;
    super("LW_NOT_FOUND", `${qualified} ${JSON.stringify(objectName)} not found`);
    this.group = group;
    this.resource = resource;
    this.objectName = objectName;
  }
}
