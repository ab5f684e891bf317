import type { CompletedWrite } from "@listwatch/client";
import type {
  HandlerRegistration,
  NotedWrite,
  ResourceEventHandler,
} from "@listwatch/shared-informer";

/** The members of an informer, or of a view of one, that a controller uses. */
export interface ControllerSource<T> {
  /** Name of the source in reports. */
  readonly name: string;
  /** Phase of the source. A source that stays `created`, because it was not started, is reported. */
  readonly phase?: string | undefined;
  /** Status of the source. Its problem is reported if a wait for it ends without success. */
  status?(): {
    /** Reason why the source is not up to date; `undefined` if it is. */
    readonly problem?: unknown;
  };
  /**
   * Its cache. After a loss of leadership its objects are reconciled again in the next term, and
   * with `shards` those of a slot that the process takes over.
   */
  readonly store?:
    | {
        /** Returns all objects of the cache. */
        list(): readonly unknown[];
        /** Returns the object of a key; `undefined` if the cache has none. */
        getByKey?(key: string): unknown;
      }
    | undefined;
  /**
   * Notes a write of a reconcile until the cache shows it, see `Informer.noteWrite`. Without this
   * method, reconciles do not wait for this source to show their writes.
   */
  noteWrite?(write: CompletedWrite, writer?: object): NotedWrite | undefined;
  /** Returns the writer of a state that a watch has delivered, see `Informer.writerOf`. */
  writerOf?(object: unknown): object | undefined;
  /** Adds a handler, which first receives the content of the cache. */
  addEventHandler(
    handler: ResourceEventHandler<T>,
    options?: {
      /** Name of the handler in reports. @default the source's choice */
      readonly name?: string | undefined;
    },
  ): HandlerRegistration;
}
