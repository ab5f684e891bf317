import { forbidden } from "../../api/errors.ts";
import type { ApiObject } from "../../api/api-object.ts";
import { field, flag, text } from "../../base/read-fields.ts";
import { nanosOf } from "../../rules/quantities.ts";
import type { KindHost } from "../define-kind.ts";
import { checkClaimLimits } from "./limit-ranges.ts";

const claimNames = { group: "", plural: "persistentvolumeclaims", kind: "PersistentVolumeClaim" };
const classNames = { group: "storage.k8s.io", plural: "storageclasses" };

/**
 * Refuses a claim that is out of the range of its namespace, and one that grows although its class
 * does not allow that.
 *
 * @throws {ApiError} 403
 */
export function admitClaim(claim: ApiObject, stored: ApiObject | undefined, host: KindHost): void {
  checkClaimLimits(claim, host);
  if (stored === undefined || host.validation === "off") return;
  if (sizeOf(claim) <= sizeOf(stored) || text(stored, "status", "phase") !== "Bound") return;
  const name = text(claim, "spec", "storageClassName");
  const storageClass = host.objectsOf(classNames).find(({ metadata }) => metadata.name === name);
  if (name !== "" && flag(storageClass, "allowVolumeExpansion")) return;
  throw forbidden(
    claimNames,
    claim.metadata.name ?? "",
    "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize",
  );
}

function sizeOf(claim: ApiObject): bigint {
  return nanosOf(field(claim, "spec", "resources", "requests", "storage"));
}
