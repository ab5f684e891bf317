import { isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../../api/api-object.ts";
import { isReachedFromOutside } from "../../rules/service.ts";
import { each, fill, fillAbsent, within } from "./fill.ts";

// pkg/apis/core/v1/defaults.go: `DefaultClientIPServiceAffinitySeconds`, three hours.
const affinityConfig = { clientIP: { timeoutSeconds: 10_800 } };

/** The defaults of the spec of a Service, but for what the server allocates. */
export function serviceDefaults(spec: JsonObject): JsonObject {
  let filled = fill(spec, { type: "ClusterIP", sessionAffinity: "None" });
  filled = affinityDefaults(filled);
  filled = each(filled, "ports", portDefaults);
  const { type } = filled;
  if (type === "ExternalName") return filled;
  filled = fillAbsent(filled, { internalTrafficPolicy: "Cluster" });
  if (isReachedFromOutside(filled)) {
    filled = fill(filled, { externalTrafficPolicy: "Cluster" });
  }
  return type === "LoadBalancer" ? fill(filled, { allocateLoadBalancerNodePorts: true }) : filled;
}

function affinityDefaults(spec: JsonObject): JsonObject {
  if (spec["sessionAffinity"] === "ClientIP") {
    return within(
      fill(spec, { sessionAffinityConfig: affinityConfig }),
      "sessionAffinityConfig",
      (config) =>
        within(fill(config, affinityConfig), "clientIP", (client) =>
          fill(client, affinityConfig.clientIP),
        ),
    );
  }
  const { sessionAffinityConfig, ...rest } = spec;
  return sessionAffinityConfig !== undefined && spec["sessionAffinity"] === "None" ? rest : spec;
}

function portDefaults(port: JsonObject): JsonObject {
  const filled = fill(port, { protocol: "TCP" });
  const { targetPort = 0 } = filled;
  return targetPort === 0 || targetPort === "" ? { ...filled, targetPort: filled["port"] } : filled;
}

/** The status of a new service. */
export function serviceStatus(service: JsonObject): JsonObject {
  return within(fill(service, { status: {} }), "status", (status) =>
    fill(status, { loadBalancer: {} }),
  );
}

/** Fills in the modes of a service's load balancer addresses. */
export function withAddressModes(service: ApiObject): ApiObject {
  const { metadata, spec, status } = service;
  if (!isRecord(status) || !isRecord(spec) || spec["type"] !== "LoadBalancer") return service;
  const filled = within(service, "status", (found) =>
    within(found, "loadBalancer", (balancer) =>
      each(balancer, "ingress", (ingress) =>
        typeof ingress["ip"] === "string" && ingress["ip"] !== ""
          ? fill(ingress, { ipMode: "VIP" })
          : ingress,
      ),
    ),
  );
  return { ...filled, metadata };
}
