import type { HandlerRegistration, ResourceEventHandler } from "@listwatch/shared-informer";

/** A cache that can be waited for until it shows a version; every informer is one. */
export interface VersionSource {
  waitForResourceVersion(
    resourceVersion: string,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<void>;
}

/** The resource of a source. */
export interface SourceResource {
  readonly group?: string | undefined;
  /** The plural name, such as `pods`. */
  readonly resource: string;
  readonly kind?: string | undefined;
}

/** The part of an informer, or of a view of one, that a controller needs. */
export interface ControllerSource<T> extends VersionSource {
  readonly name: string;
  /** Where the source is in its life; one that was `created` and not started is reported. */
  readonly phase?: string | undefined;
  /** What it does; a wait that ends without success says its problem. */
  status?(): { readonly problem?: unknown };
  /** The resource of its objects, which finds the source of an object that was written. */
  readonly resource?: SourceResource | undefined;
  /** Its cache, whose objects show their kind where the resource does not. */
  readonly store?: { list(): readonly unknown[] } | undefined;
  addEventHandler(
    handler: ResourceEventHandler<T>,
    options?: { readonly name?: string | undefined },
  ): HandlerRegistration;
}
