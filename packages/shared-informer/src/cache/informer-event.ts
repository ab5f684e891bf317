import type { Cached } from "@listwatch/core-fifo";
import type {
  MissedDeletion,
  ResourceEventHandler,
  SeenDeletion,
} from "../delivery/resource-event-handler.ts";

/** An object appeared. */
export interface AddNotification<T> {
  readonly type: "add";
  readonly key: string;
  readonly object: Cached<T>;
  /** Whether the object was there when the receiver came, rather than added since. */
  readonly isInInitialList: boolean;
}

/** An object changed, or is handed out again unchanged. */
export interface UpdateNotification<T> {
  readonly type: "update";
  readonly key: string;
  readonly object: Cached<T>;
  /** The state that the receiver was told before. */
  readonly old: Cached<T>;
}

/** An object is gone. */
export type DeleteNotification<T> = (SeenDeletion<T> | MissedDeletion<T>) & {
  readonly type: "delete";
};

/** One change of one object, as it is told to listeners. */
export type Notification<T> = AddNotification<T> | UpdateNotification<T> | DeleteNotification<T>;

/** Calls the callback of `handler` that fits; gives back what it returned. */
export function deliver<T>(
  handler: ResourceEventHandler<T>,
  notification: Notification<T>,
): unknown {
  if (notification.type === "update") {
    return handler.onUpdate?.(notification.old, notification.object);
  }
  if (notification.type === "add") {
    return handler.onAdd?.(notification.object, notification.isInInitialList);
  }
  return handler.onDelete?.(notification);
}
