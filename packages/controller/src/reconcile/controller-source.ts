import type { Cached } from "@listwatch/core-fifo";
import type { HandlerRegistration, ResourceEventHandler } from "@listwatch/shared-informer";

/** A cache that can be waited for until it shows a version; every informer is one. */
export interface VersionSource {
  waitForResourceVersion(
    resourceVersion: string,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<void>;
}

/** The part of an informer, or of a view of one, that a controller needs. */
export interface ControllerSource<T> extends VersionSource {
  readonly name: string;
  addEventHandler(
    handler: ResourceEventHandler<T>,
    options?: { readonly name?: string | undefined },
  ): HandlerRegistration;
}

/** A {@link ControllerSource} whose cache can be read; every informer is one. */
export interface ReadableSource<T> extends ControllerSource<T> {
  readonly store: { getByKey(key: string): Cached<T> | undefined };
}
