import type { FoundResource } from "../api/registry.ts";
import type { Exchange } from "../faults/control/control-hooks.ts";
import type { RequestBody } from "../input/body.ts";
import type { RequestInfo } from "../input/request-info.ts";
import type { Presenter } from "../output/presenter.ts";
import type { OutputFormat } from "../output/negotiation.ts";
import type { ResourceTarget, ServerCore } from "./server-core.ts";
import type { WriteTarget } from "./write.ts";

/** One request for a resource that exists, with all that its verb needs. */
export interface ResourceRequest extends FoundResource, ResourceTarget, WriteTarget {
  readonly core: ServerCore;
  readonly info: RequestInfo;
  readonly body: RequestBody;
  /** What faults have to say about the request. */
  readonly exchange: Exchange;
  readonly presenter: Presenter;
  readonly format: OutputFormat;
  /** Texts for Warning headers, collected on the way. */
  readonly warnings: string[];
}
