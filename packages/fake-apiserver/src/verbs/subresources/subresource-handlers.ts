import type { Result } from "../../output/result.ts";
import type { ResourceRequest } from "../resource-request.ts";
import { bindPod } from "./binding.ts";
import { forwardPorts, proxyRequest, runInContainer } from "./connect.ts";
import { evictPod } from "./eviction.ts";
import { readLog } from "./log.ts";
import { createToken } from "./token.ts";

/** Answers requests to a subresource, whatever their verb. */
export type SubresourceHandler = (request: ResourceRequest) => Promise<Response | Result>;

/** The subresources that are more than a part of their object, by resource and name. */
export const subresourceHandlers: ReadonlyMap<string, SubresourceHandler> = new Map<
  string,
  SubresourceHandler
>([
  ["bindings", bindPod],
  ["nodes/proxy", proxyRequest],
  ["pods/attach", runInContainer],
  ["pods/binding", bindPod],
  ["pods/eviction", evictPod],
  ["pods/exec", runInContainer],
  ["pods/log", readLog],
  ["pods/portforward", forwardPorts],
  ["pods/proxy", proxyRequest],
  ["serviceaccounts/token", createToken],
  ["services/proxy", proxyRequest],
]);
