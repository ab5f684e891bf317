import { isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import { containerDefaults } from "./container.ts";
import { each, fill, within } from "./fill.ts";
import { volumeDefaults } from "./volume.ts";

const podFields = {
  restartPolicy: "Always",
  terminationGracePeriodSeconds: 30,
  dnsPolicy: "ClusterFirst",
  securityContext: {},
  schedulerName: "default-scheduler",
};

/** The defaults of the spec of a pod or a pod template. */
export function podSpecDefaults(spec: JsonObject): JsonObject {
  let filled = fill(spec, podFields);
  for (const list of ["containers", "initContainers", "ephemeralContainers"]) {
    filled = each(filled, list, containerDefaults);
  }
  filled = each(filled, "volumes", volumeDefaults);
  filled = each(filled, "topologySpreadConstraints", (constraint) => constraint);
  const { serviceAccount, serviceAccountName } = filled;
  if (serviceAccountName !== undefined && serviceAccountName !== serviceAccount) {
    return { ...filled, serviceAccount: serviceAccountName };
  }
  if (serviceAccountName === undefined && serviceAccount !== undefined) {
    return { ...filled, serviceAccountName: serviceAccount };
  }
  return filled;
}

/** The defaults of a pod template. */
function podTemplateDefaults(template: JsonObject): JsonObject {
  return within(fill(template, { metadata: {} }), "spec", podSpecDefaults);
}

/** The defaults of the pod template in a spec. */
export function templateDefaults(spec: JsonObject): JsonObject {
  return isRecord(spec["template"]) ? within(spec, "template", podTemplateDefaults) : spec;
}
