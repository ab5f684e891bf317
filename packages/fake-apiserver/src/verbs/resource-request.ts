import type { Exchange } from "../faults/control/control-hooks.ts";
import type { OutputFormat } from "../output/negotiation.ts";
import type { RequestBody } from "../input/body.ts";
import type { RequestInfo } from "../input/request-info.ts";
import type { Presenter } from "../output/presenter.ts";
import type { ResourceDefinition, ServedVersion } from "../api/resource-definition.ts";
import type { ResourceStrategy } from "../kinds/strategy.ts";
import type { ServerCore } from "./server-core.ts";
import type { ResourceStore } from "../storage/resource-store.ts";

/** One request for a resource that exists, with all that its verb needs. */
export interface ResourceRequest {
  readonly core: ServerCore;
  readonly info: RequestInfo;
  readonly exchange: Exchange;
  readonly body: RequestBody;
  readonly definition: ResourceDefinition;
  readonly served: ServedVersion;
  readonly presenter: Presenter;
  readonly store: ResourceStore;
  readonly strategy: ResourceStrategy;
  readonly format: OutputFormat;
  /** Nothing may be changed. */
  readonly dryRun: boolean;
  /** Texts for Warning headers, collected on the way. */
  readonly warnings: string[];
}
