import type { ResourceDefinition, ServedVersion } from "../api/resource-definition.ts";
import { FieldSet, fieldSetOf } from "./field-set.ts";

const status = fieldSetOf(["status"]);
const spec = fieldSetOf(["spec"]);
const specAndMetadata = fieldSetOf(["spec"], ["metadata"]);

/** Kinds whose status endpoint does not change metadata. */
const metadataKept: ReadonlySet<string> = new Set([
  "APIService",
  "CSINode",
  "CustomResourceDefinition",
  "DeviceTaintRule",
  "FlowSchema",
  "PodCertificateRequest",
  "PriorityLevelConfiguration",
  "ResourceClaim",
  "ServiceCIDR",
  "StorageVersionMigration",
  "ValidatingAdmissionPolicy",
  "VolumeAttachment",
]);

const statusEndpoints: ReadonlyMap<string, FieldSet> = new Map([
  ["Deployment", fieldSetOf(["spec"], ["metadata", "labels"])],
  ["Pod", fieldSetOf(["spec"], ["metadata", "deletionTimestamp"], ["metadata", "ownerReferences"])],
  ["CertificateSigningRequest", fieldSetOf(["spec"], ["status", "conditions"])],
]);

/** Returns the fields that an endpoint resets to the stored values; its writers never own them. */
export function resetFields(
  { custom, kind }: ResourceDefinition,
  { status: hasStatus }: ServedVersion,
  subresource: string,
): FieldSet {
  if (subresource === "status") {
    if (custom || metadataKept.has(kind)) return specAndMetadata;
    return statusEndpoints.get(kind) ?? spec;
  }
  if (subresource === "approval") return fieldSetOf(["spec"], ["status", "certificate"]);
  if (kind === "CertificateSigningRequest") return fieldSetOf(["spec"], ["status"]);
  return hasStatus ? status : FieldSet.empty;
}
