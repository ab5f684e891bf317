import type { ApiObject } from "../api/api-object.ts";
import { field, objects, orNone, text } from "../base/read-fields.ts";
import { signingRequestRules } from "../rules/signing-requests.ts";
import { ageColumn, builtinColumn } from "./columns.ts";
import { requestStrategy } from "./certificate-approval.ts";
import { type Kind, defineKind } from "./define-kind.ts";
import { humanDuration } from "./duration.ts";

/** CertificateSigningRequest of certificates.k8s.io. */
export const certificateSigningRequestKind: Kind = defineKind({
  group: "certificates.k8s.io",
  version: "v1",
  kind: "CertificateSigningRequest",
  shortNames: ["csr"],
  cluster: true,
  status: true,
  subresources: [{ name: "approval", verbs: ["get", "patch", "update"] }],
  rules: signingRequestRules,
  strategy: requestStrategy,
  selectableFields: ["spec.signerName"],
  unconditionalUpdate: true,
  columns: [
    ageColumn,
    builtinColumn("SignerName", (request) => orNone(text(request, "spec", "signerName"))),
    builtinColumn("Requestor", (request) => text(request, "spec", "username")),
    builtinColumn("RequestedDuration", (request) => {
      const seconds = field(request, "spec", "expirationSeconds");
      return typeof seconds === "number" ? humanDuration(seconds * 1000) : "<none>";
    }),
    builtinColumn("Condition", certificateCondition),
  ],
});

function certificateCondition(request: ApiObject): string {
  const types = new Set(objects(request, "status", "conditions").map((one) => text(one, "type")));
  const decision = types.has("Denied") ? "Denied" : types.has("Approved") ? "Approved" : "Pending";
  const parts = [decision];
  if (types.has("Failed")) parts.push("Failed");
  if (text(request, "status", "certificate") !== "") parts.push("Issued");
  return parts.join(",");
}
