import type { ApiObject } from "../api/api-object.ts";
import { field, objects, orNone, text } from "../base/read-fields.ts";
import { podCertificateRequestRules, trustBundleRules } from "../rules/signers.ts";
import { formatLabels } from "../selectors/format-label-selector.ts";
import { checkPathSegment } from "../validation/names.ts";
import { specDefaults, fill } from "./defaults/fill.ts";
import { builtinColumn } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";

/** ClusterTrustBundle of certificates.k8s.io. */
export const clusterTrustBundleKind: Kind = defineKind({
  group: "certificates.k8s.io",
  version: "v1",
  kind: "ClusterTrustBundle",
  storageHashVersion: "v1beta1",
  cluster: true,
  // The name begins with that of the signer, with colons in place of slashes.
  nameRule: checkPathSegment,
  rules: trustBundleRules,
  selectableFields: ["spec.signerName"],
  columns: [builtinColumn("SignerName", (bundle) => orNone(text(bundle, "spec", "signerName")))],
});

/** PodCertificateRequest of certificates.k8s.io. */
export const podCertificateRequestKind: Kind = defineKind({
  group: "certificates.k8s.io",
  version: "v1",
  kind: "PodCertificateRequest",
  storageHashVersion: "v1beta1",
  status: true,
  rules: podCertificateRequestRules,
  // k8s.io/kubernetes pkg/apis/certificates/v1/defaults.go: a day.
  defaults: specDefaults((spec) => fill(spec, { maxExpirationSeconds: 86_400 })),
  selectableFields: ["spec.signerName", "spec.podName", "spec.nodeName"],
  columns: [
    specColumn("PodName", "podName"),
    specColumn("ServiceAccountName", "serviceAccountName"),
    specColumn("NodeName", "nodeName"),
    specColumn("SignerName", "signerName"),
    builtinColumn("State", stateOf),
    builtinColumn("UnverifiedUserAnnotations", (request) =>
      formatLabels(field(request, "spec", "unverifiedUserAnnotations")),
    ),
  ],
});

function specColumn(name: string, member: string): ReturnType<typeof builtinColumn> {
  return builtinColumn(name, (request) => text(request, "spec", member));
}

function stateOf(request: ApiObject): string {
  const ends = new Set(["Issued", "Denied", "Failed"]);
  const types = objects(request, "status", "conditions").map((one) => text(one, "type"));
  return types.findLast((type) => ends.has(type)) ?? "Pending";
}
