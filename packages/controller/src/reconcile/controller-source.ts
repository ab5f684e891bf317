import type { HandlerRegistration, ResourceEventHandler } from "@listwatch/shared-informer";

/** A cache that can tell when it has come to a version; every informer is one. */
export interface VersionSource {
  waitForResourceVersion(
    resourceVersion: string,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<void>;
}

/** As much of an informer, or of a view of one, as a controller needs. */
export interface ControllerSource<T> extends VersionSource {
  readonly name: string;
  addEventHandler(
    handler: ResourceEventHandler<T>,
    options?: { readonly name?: string | undefined },
  ): HandlerRegistration;
}
