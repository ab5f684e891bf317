import { exceedsBytes, goJson } from "../base/go-text.ts";
import { field, text } from "../base/read-fields.ts";
import { isJsonEqual, isRecord } from "@listwatch/core-fifo/base";
import type { FieldError } from "../api/errors.ts";
import type { ApiObject } from "../api/api-object.ts";
import {
  invalid,
  invalidAsWhole,
  invalidShown,
  required,
  tooLong,
} from "../validation/field-errors.ts";
import { checkDns1035Label, checkDnsLabel, checkDnsSubdomain } from "../validation/names.ts";
import { checkImmutable } from "../validation/values.ts";
import { type ObjectRules, rulesOf } from "./object-rules.ts";

// k8s.io/kubernetes pkg/apis/certificates/validation and pkg/apis/certificates/types.go.
const maxBundleBytes = 1024 * 1024;
const maxUidBytes = 128;
const leastSeconds = 3600;
const mostSeconds = 91 * 24 * 3600;
const mostSecondsOfKubernetes = 24 * 3600;
const maxDomainBytes = 253;

/** Rules for ClusterTrustBundles. Certificates are found in the bundle, but not parsed. */
export const trustBundleRules: ObjectRules = {
  create: (bundle) => [...checkBundleSigner(bundle), ...checkBundle(bundle)],
  update: (bundle, stored) => [
    ...checkBundleSigner(bundle),
    ...(bundleOf(bundle) === bundleOf(stored) ? [] : checkBundle(bundle)),
    ...checkImmutable("spec.signerName", signerOf(bundle), signerOf(stored)),
  ],
};

/** Rules for PodCertificateRequests. The request for a certificate is not parsed. */
export const podCertificateRequestRules: ObjectRules = {
  create: checkRequest,
  update: ({ spec }, stored) =>
    isJsonEqual(spec, stored["spec"])
      ? []
      : [invalidShown("spec", goJson(spec ?? null), "field is immutable")],
};

/** Rules for StorageVersionMigrations. */
export const storageVersionMigrationRules: ObjectRules = rulesOf(checkMigration, {
  first: "check",
  changes: ({ spec }, stored) =>
    isJsonEqual(spec, stored["spec"])
      ? []
      : [invalidShown("spec", showMigration(spec), "field is immutable")],
});

function signerOf(object: ApiObject): string {
  return text(object, "spec", "signerName");
}

function bundleOf(object: ApiObject): string {
  return text(object, "spec", "trustBundle");
}

function checkBundleSigner(bundle: ApiObject): readonly FieldError[] {
  const signer = signerOf(bundle);
  const { name = "" } = bundle.metadata;
  if (signer === "") {
    const why = 'ClusterTrustBundle without signer name must not have ":" in its name';
    return name.includes(":") ? [invalid("metadata.name", name, why)] : [];
  }
  const prefix = `${signer.replaceAll("/", ":")}:`;
  const why = `ClusterTrustBundle for signerName ${signer} must be named with prefix ${prefix}`;
  return [
    ...(name.startsWith(prefix) ? [] : [invalid("metadata.name", name, why)]),
    ...checkSignerName("spec.signerName", signer),
  ];
}

function checkBundle(bundle: ApiObject): readonly FieldError[] {
  const pem = bundleOf(bundle);
  const path = "spec.trustBundle";
  if (exceedsBytes(pem, maxBundleBytes)) return [tooLong(path, maxBundleBytes)];
  const blocks = [...pem.matchAll(/-----BEGIN ([^-\n]+)-----\n[^-]*-----END \1-----/g)];
  const errors = blocks.flatMap(([, type = ""], index) =>
    type === "CERTIFICATE" ? [] : [`entry ${index} has bad block type: ${type}`],
  );
  if (blocks.length === 0) errors.push("at least one trust anchor must be provided");
  return errors.map((why) => invalid(path, "<value omitted>", why));
}

function checkRequest(request: ApiObject): readonly FieldError[] {
  const names = ["pod", "serviceAccount", "node"] as const;
  const errors = [...checkSignerName("spec.signerName", signerOf(request))];
  for (const name of names) {
    const value = text(request, "spec", `${name}Name`);
    errors.push(...checkDnsSubdomain(value).map((why) => invalid(`spec.${name}Name`, value, why)));
    const uid = text(request, "spec", `${name}UID`);
    if (uid === "") errors.push(invalid(`spec.${name}UID`, uid, "must not be empty"));
    if (exceedsBytes(uid, maxUidBytes)) errors.push(tooLong(`spec.${name}UID`, maxUidBytes));
  }
  const seconds = field(request, "spec", "maxExpirationSeconds");
  const path = "spec.maxExpirationSeconds";
  if (typeof seconds !== "number") return [...errors, required(path, "must be set")];
  const most = isOfKubernetes(signerOf(request)) ? mostSecondsOfKubernetes : mostSeconds;
  if (seconds < leastSeconds || seconds > most) {
    errors.push(invalid(path, seconds, `must be in the range [${leastSeconds}, ${most}]`));
  }
  if (text(request, "spec", "stubPKCS10Request") === "") {
    const why =
      "exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set";
    errors.push(invalidAsWhole("spec", why));
  }
  return errors;
}

function checkMigration(migration: ApiObject): readonly FieldError[] {
  const resource = text(migration, "spec", "resource", "resource");
  const group = text(migration, "spec", "resource", "group");
  const path = "spec.resource";
  if (resource === "") {
    return [required(`${path}.resource`, "resource is required to be set")];
  }
  const problems = checkDns1035Label(resource);
  return [
    ...(problems.length === 0 ? [] : [invalid(`${path}.resource`, resource, problems.join(","))]),
    ...(group === ""
      ? []
      : checkDnsSubdomain(group).map((why) => invalid(`${path}.group`, group, why))),
  ];
}

function showMigration(spec: unknown): string {
  const resource = field(spec, "resource");
  const { group = "", resource: name = "" } = isRecord(resource) ? resource : {};
  return goJson({ Resource: { group, resource: name } });
}

// k8s.io/kubernetes pkg/apis/core/validation/names.go, `IsKubernetesSignerName`.
function isOfKubernetes(signer: string): boolean {
  const [host = ""] = signer.split("/");
  return host === "kubernetes.io" || host.endsWith(".kubernetes.io");
}

/** Checks the name of a signer: pkg/apis/core/validation/names.go, `ValidateSignerName`. */
export function checkSignerName(path: string, signer: string): readonly FieldError[] {
  if (signer === "") return [required(path)];
  const [domain = "", rest, more] = signer.split("/");
  if (rest === undefined || more !== undefined) {
    const form = "must be a fully qualified domain and path of the form 'example.com/signer-name'";
    return [invalid(path, signer, form)];
  }
  const errors = exceedsBytes(domain, maxDomainBytes) ? [tooLong(path, maxDomainBytes)] : [];
  const labels = domain.split(".");
  errors.push(...checkLabels(path, domain, labels, checkDnsLabel));
  if (labels.length < 2) {
    const why = "should be a domain with at least two segments separated by dots";
    errors.push(invalid(path, domain, why));
  }
  return [...errors, ...checkLabels(path, rest, rest.split("."), checkDnsSubdomain)];
}

/** The problems of the first label that has some. */
function checkLabels(
  path: string,
  value: string,
  labels: readonly string[],
  check: (label: string) => readonly string[],
): readonly FieldError[] {
  for (const label of labels) {
    const problems = check(label);
    if (problems.length === 0) continue;
    return problems.map((why) => invalid(path, value, `validating label ${goJson(label)}: ${why}`));
  }
  return [];
}
