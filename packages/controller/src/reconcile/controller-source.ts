import type { HandlerRegistration, ResourceEventHandler } from "@listwatch/shared-informer";

/** A cache that can wait for a resourceVersion. Every informer is one. */
export interface VersionSource {
  waitForResourceVersion(
    resourceVersion: string,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<void>;
}

/** The resource of a source. */
export interface SourceResource {
  readonly group?: string | undefined;
  /** Plural name, such as `pods`. */
  readonly resource: string;
  readonly kind?: string | undefined;
}

/** The members of an informer, or of a view of one, that a controller uses. */
export interface ControllerSource<T> extends VersionSource {
  readonly name: string;
  /** Phase of the source. A source that stays `created`, because it was not started, is reported. */
  readonly phase?: string | undefined;
  /** Status of the source. Its problem is reported if a wait for it ends without success. */
  status?(): { readonly problem?: unknown };
  /** Resource of its objects, used to find the source of an object that was written. */
  readonly resource?: SourceResource | undefined;
  /** Its cache. Objects in it reveal their kind if the resource has none. */
  readonly store?: { list(): readonly unknown[] } | undefined;
  addEventHandler(
    handler: ResourceEventHandler<T>,
    options?: { readonly name?: string | undefined },
  ): HandlerRegistration;
}
