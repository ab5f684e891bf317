import { isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import { roundedQuantity } from "../../schema/quantity.ts";
import { each, fill, within } from "./fill.ts";
import { isLatestImage } from "./image.ts";

// k8s.io/kubernetes pkg/apis/core/v1/defaults.go and zz_generated.defaults.go.
const containerFields = {
  resources: {},
  terminationMessagePath: "/dev/termination-log",
  terminationMessagePolicy: "File",
};
const probeFields = {
  timeoutSeconds: 1,
  periodSeconds: 10,
  successThreshold: 1,
  failureThreshold: 3,
};
const httpFields = { path: "/", scheme: "HTTP" };
const portFields = { protocol: "TCP" };

/** The defaults of a container of a pod or a pod template. */
export function containerDefaults(container: JsonObject): JsonObject {
  let filled = fill(container, containerFields);
  if (filled["imagePullPolicy"] === undefined) {
    filled = { ...filled, imagePullPolicy: pullPolicy(filled["image"]) };
  }
  filled = within(filled, "resources", (resources) =>
    within(within(resources, "limits", roundQuantities), "requests", roundQuantities),
  );
  filled = each(filled, "ports", (port) => fill(port, portFields));
  filled = each(filled, "env", envDefaults);
  for (const name of ["livenessProbe", "readinessProbe", "startupProbe"]) {
    filled = within(filled, name, probeDefaults);
  }
  if (!isRecord(filled["lifecycle"])) return filled;
  return within(filled, "lifecycle", (lifecycle) =>
    within(within(lifecycle, "postStart", handlerDefaults), "preStop", handlerDefaults),
  );
}

// pkg/apis/core/v1/defaults.go: `SetDefaults_ResourceList`.
function roundQuantities(quantities: JsonObject): JsonObject {
  const entries = Object.entries(quantities).map(([name, quantity]): [string, unknown] => [
    name,
    typeof quantity === "string" ? roundedQuantity(quantity) : quantity,
  ]);
  const isRound = entries.every(([name, quantity]) => quantity === quantities[name]);
  return isRound ? quantities : Object.fromEntries(entries);
}

function pullPolicy(image: unknown): string {
  return typeof image === "string" && isLatestImage(image) ? "Always" : "IfNotPresent";
}

function envDefaults(env: JsonObject): JsonObject {
  if (env["valueFrom"] === undefined) return env;
  return within(env, "valueFrom", (source) =>
    within(within(source, "fieldRef", fieldRefDefaults), "fileKeyRef", (ref) =>
      fill(ref, { optional: false }),
    ),
  );
}

/** The defaults of a reference to a field of the pod. */
export function fieldRefDefaults(ref: JsonObject): JsonObject {
  return fill(ref, { apiVersion: "v1" });
}

function probeDefaults(probe: JsonObject): JsonObject {
  return within(handlerDefaults(fill(probe, probeFields)), "grpc", (grpc) =>
    typeof grpc["service"] === "string" ? grpc : { ...grpc, service: "" },
  );
}

function handlerDefaults(handler: JsonObject): JsonObject {
  return within(handler, "httpGet", (get) => fill(get, httpFields));
}
