import type { UserInfo } from "../api/access.ts";
import type { Exchange } from "../faults/control/control-hooks.ts";
import type { RequestBody } from "../input/body.ts";
import type { RequestInfo } from "../input/request-info.ts";
import type { Presenter } from "../output/presenter.ts";
import type { OutputFormat } from "../output/negotiation.ts";
import type { ResourceTarget, ServerCore } from "./server-core.ts";
import type { ResourceWrite } from "./write.ts";

/**
 * One request for a resource that exists. Only the function that a verb begins with takes all of
 * it; what that calls takes the parts it needs.
 */
export interface ResourceRequest extends ResourceTarget, ResourceWrite {
  readonly core: ServerCore;
  readonly info: RequestInfo;
  /** Who sends it. */
  readonly user: UserInfo;
  readonly body: RequestBody;
  /** Faults of the request. */
  readonly exchange: Exchange;
  readonly presenter: Presenter;
  readonly format: OutputFormat;
}
