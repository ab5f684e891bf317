import { isJsonEqual } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import type { FieldError } from "../api/errors.ts";
import { compareBytes } from "../base/go-text.ts";
import { field, text, texts } from "../base/read-fields.ts";
import { duplicate, invalid, notSupported, required } from "../validation/field-errors.ts";
import type { ObjectRules } from "./object-rules.ts";
import { checkSignerName } from "./signers.ts";

// k8s.io/kubernetes pkg/apis/certificates/validation/validation.go.
const leastSeconds = 600;
const legacySigner = "kubernetes.io/legacy-unknown";
const pemRequest = /-----BEGIN CERTIFICATE REQUEST-----\r?\n[^-]*-----END CERTIFICATE REQUEST-----/;
const usages: readonly string[] = [
  "signing",
  "digital signature",
  "content commitment",
  "key encipherment",
  "key agreement",
  "data encipherment",
  "cert sign",
  "crl sign",
  "encipher only",
  "decipher only",
  "any",
  "server auth",
  "client auth",
  "code signing",
  "email protection",
  "s/mime",
  "ipsec end system",
  "ipsec tunnel",
  "ipsec user",
  "timestamping",
  "ocsp signing",
  "microsoft sgc",
  "netscape sgc",
].toSorted(compareBytes);

/** Rules for CertificateSigningRequests. A request has to be PEM of its type, and is not parsed. */
export const signingRequestRules: ObjectRules = {
  create: checkRequest,
  update: (request, stored) =>
    isJsonEqual(request["spec"], stored["spec"]) ? [] : checkRequest(request),
};

function checkRequest(object: ApiObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const request = text(object, "spec", "request");
  if (!pemRequest.test(decoded(request))) {
    const why = "PEM block type must be CERTIFICATE REQUEST";
    errors.push(invalid("spec.request", request === "" ? null : request, why));
  }
  errors.push(...checkUsages(texts(object, "spec", "usages")));
  const signer = text(object, "spec", "signerName");
  if (signer === legacySigner) {
    const why = "the legacy signerName is not allowed via this API version";
    errors.push(invalid("spec.signerName", signer, why));
  } else errors.push(...checkSignerName("spec.signerName", signer));
  const seconds = field(object, "spec", "expirationSeconds");
  if (typeof seconds === "number" && seconds < leastSeconds) {
    const why = "may not specify a duration less than 600 seconds (10 minutes)";
    errors.push(invalid("spec.expirationSeconds", seconds, why));
  }
  return errors;
}

function checkUsages(sent: readonly string[]): readonly FieldError[] {
  const at = "spec.usages";
  if (sent.length === 0) return [required(at)];
  return [
    ...sent.flatMap((usage, index) =>
      usages.includes(usage) ? [] : [notSupported(`${at}[${index}]`, usage, usages)],
    ),
    ...sent.flatMap((usage, index) =>
      sent.indexOf(usage) < index ? [duplicate(`${at}[${index}]`, usage)] : [],
    ),
  ];
}

function decoded(request: string): string {
  try {
    return atob(request);
  } catch {
    return "";
  }
}
