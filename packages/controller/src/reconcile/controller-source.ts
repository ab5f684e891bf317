import type { HandlerRegistration, ResourceEventHandler } from "@listwatch/shared-informer";

/** A cache that can wait for a resourceVersion. Every informer is one. */
export interface VersionSource {
  /** Resolves when the cache shows this resourceVersion or a later one. */
  waitForResourceVersion(
    resourceVersion: string,
    options?: {
      /** Ends the wait, which rejects with the reason of the signal. @default none */
      readonly signal?: AbortSignal | undefined;
    },
  ): Promise<void>;
}

/** The resource of a source. */
export interface SourceResource {
  /** API group, such as `apps`. @default "", the core group */
  readonly group?: string | undefined;
  /** Plural name, such as `pods`. */
  readonly resource: string;
  /** Kind of the objects, such as `Pod`. @default unknown */
  readonly kind?: string | undefined;
}

/** The members of an informer, or of a view of one, that a controller uses. */
export interface ControllerSource<T> extends VersionSource {
  /** Name of the source in reports. */
  readonly name: string;
  /** Phase of the source. A source that stays `created`, because it was not started, is reported. */
  readonly phase?: string | undefined;
  /** Status of the source. Its problem is reported if a wait for it ends without success. */
  status?(): {
    /** Reason why the source is not up to date; `undefined` if it is. */
    readonly problem?: unknown;
  };
  /** Resource of its objects, used to find the source of an object that was written. */
  readonly resource?: SourceResource | undefined;
  /** Its cache. Objects in it reveal their kind if the resource has none. */
  readonly store?:
    | {
        /** Returns all objects of the cache. */
        list(): readonly unknown[];
      }
    | undefined;
  /** Adds a handler, which first receives the content of the cache. */
  addEventHandler(
    handler: ResourceEventHandler<T>,
    options?: {
      /** Name of the handler in reports. @default the source's choice */
      readonly name?: string | undefined;
    },
  ): HandlerRegistration;
}
