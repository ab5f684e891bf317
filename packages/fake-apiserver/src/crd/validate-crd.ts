import { asJsonObject, type JsonObject } from "../json.ts";
import type { ApiObject } from "../resources/resource-definition.ts";
import type { FieldError } from "../status/field-error.ts";
import { invalid, notSupported, required } from "../validation/field-errors.ts";
import { goJson } from "../validation/go-text.ts";
import { checkDns1035Label, checkDnsSubdomain } from "../validation/names.ts";
import { crdNames, crdVersions, textOf, textsOf } from "./crd-object.ts";
import { validateSchemas } from "./validate-schemas.ts";

const approvalAnnotation = "api-approved.kubernetes.io";
// Groups that belong to Kubernetes itself: apiextensions-apiserver `isProtectedCommunityGroup`.
const protectedGroup = /(?:^|\.)(?:k8s|kubernetes)\.io$/;

/** Reasons to refuse a new definition (apiextensions-apiserver validation.go). */
export function validateCrd(crd: ApiObject): readonly FieldError[] {
  const spec = asJsonObject(crd["spec"]);
  const { plural } = crdNames(spec);
  const group = textOf(spec["group"]);
  const errors: FieldError[] = [];
  const expected = `${plural}.${group}`;
  if (crd.metadata.name !== expected) {
    const detail = 'must be spec.names.plural+"."+spec.group';
    errors.push(invalid("metadata.name", crd.metadata.name ?? "", detail));
  }
  return [
    ...errors,
    ...validateSpec(spec),
    ...validateStoredVersions(crd),
    ...validateApproval(crd, group),
  ];
}

/** Reasons to refuse a changed definition. */
export function validateCrdUpdate(crd: ApiObject, stored: ApiObject): readonly FieldError[] {
  const [spec, before] = [asJsonObject(crd["spec"]), asJsonObject(stored["spec"])];
  const immutable = ([field, value, old]: readonly [string, unknown, unknown]): FieldError[] =>
    value === old ? [] : [invalid(field, value, "field is immutable")];
  const changed = [
    ["spec.group", spec["group"], before["group"]] as const,
    ["spec.names.plural", crdNames(spec).plural, crdNames(before).plural] as const,
    ["spec.scope", spec["scope"], before["scope"]] as const,
    ["spec.names.kind", crdNames(spec).kind, crdNames(before).kind] as const,
  ].flatMap(immutable);
  return [...validateSpec(spec), ...validateStoredVersions(crd), ...changed];
}

function validateSpec(spec: JsonObject): readonly FieldError[] {
  const group = textOf(spec["group"]);
  const errors: FieldError[] = [];
  if (group === "") {
    errors.push(required("spec.group"));
  } else {
    const problems = checkDnsSubdomain(group);
    if (problems.length > 0) errors.push(invalid("spec.group", group, problems.join(",")));
    else if (!group.includes(".")) {
      errors.push(invalid("spec.group", group, "should be a domain with at least one dot"));
    }
  }
  const scope = spec["scope"] ?? "";
  if (scope === "") errors.push(required("spec.scope"));
  else if (scope !== "Cluster" && scope !== "Namespaced") {
    errors.push(notSupported("spec.scope", scope, ["Cluster", "Namespaced"]));
  }
  return [...errors, ...validateVersions(spec), ...validateNames(spec)];
}

function validateVersions(spec: JsonObject): readonly FieldError[] {
  const versions = crdVersions(spec);
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, version] of versions.entries()) {
    const name = textOf(version["name"]);
    const problems = checkDns1035Label(name);
    if (problems.length > 0) {
      errors.push(invalid(`spec.versions[${index}].name`, name, problems.join(",")));
    }
    seen.add(name);
  }
  const storage = versions.filter((version) => version["storage"] === true);
  if (storage.length !== 1) {
    const detail = "must have exactly one version marked as storage version";
    errors.push(listInvalid("spec.versions", versions, detail));
  }
  if (seen.size !== versions.length) {
    errors.push(listInvalid("spec.versions", versions, "must contain unique version names"));
  }
  return [...errors, ...validateSchemas(versions)];
}

// The server shows its own form of the versions, where what all have in common has moved to the top of the spec.
function listInvalid(field: string, versions: readonly JsonObject[], detail: string): FieldError {
  const shown = versions.map((version) => ({
    Name: textOf(version["name"]),
    Served: version["served"] === true,
    Storage: version["storage"] === true,
    Deprecated: version["deprecated"] === true,
    DeprecationWarning: version["deprecationWarning"] ?? null,
    Schema: null,
    Subresources: null,
    AdditionalPrinterColumns: null,
    SelectableFields: null,
  }));
  const message = `Invalid value: ${JSON.stringify(shown)}: ${detail}`;
  return { reason: "FieldValueInvalid", field, message };
}

function validateStoredVersions(crd: ApiObject): readonly FieldError[] {
  const field = "status.storedVersions";
  const stored = asJsonObject(crd["status"])["storedVersions"] ?? null;
  const names = textsOf(stored);
  const versions = crdVersions(asJsonObject(crd["spec"]));
  if (names.length === 0) return [invalid(field, stored, "must have at least one stored version")];
  const errors: FieldError[] = [];
  const storage = versions.filter((version) => version["storage"] === true).at(-1);
  const storageName = textOf(storage?.["name"]);
  if (storage !== undefined && !names.includes(storageName)) {
    errors.push({
      reason: "FieldValueInvalid",
      field,
      message: `Invalid value: ${goJson(names)}: must have the storage version ${storageName}`,
    });
  }
  for (const [index, name] of names.entries()) {
    if (versions.some((version) => version["name"] === name)) continue;
    errors.push(
      invalid(
        `${field}[${index}]`,
        name,
        "missing from spec.versions; it was previously a storage version",
      ),
    );
  }
  return errors;
}

function validateApproval(crd: ApiObject, group: string): readonly FieldError[] {
  const annotation = crd.metadata.annotations?.[approvalAnnotation] ?? "";
  if (!protectedGroup.test(group) || annotation !== "") return [];
  return [
    required(
      `metadata.annotations[${approvalAnnotation}]`,
      `protected groups must have approval annotation "${approvalAnnotation}", see https://github.com/kubernetes/enhancements/pull/1111`,
    ),
  ];
}

function validateNames(spec: JsonObject): readonly FieldError[] {
  const names = crdNames(spec);
  const errors: FieldError[] = [];
  const label = (field: string, value: string, mixedCase: boolean): void => {
    const problems = checkDns1035Label(mixedCase ? value.toLowerCase() : value);
    if (problems.length === 0) return;
    const detail = problems.join(",");
    const text = mixedCase ? `may have mixed case, but should otherwise match: ${detail}` : detail;
    errors.push(invalid(`spec.names.${field}`, value, text));
  };
  for (const field of ["plural", "singular", "kind", "listKind"] as const) {
    if (names[field] === "") errors.push(required(`spec.names.${field}`));
    else label(field, names[field], field === "kind" || field === "listKind");
  }
  for (const [index, name] of names.shortNames.entries())
    label(`shortNames[${index}]`, name, false);
  for (const [index, name] of names.categories.entries())
    label(`categories[${index}]`, name, false);
  if (names.kind !== "" && names.kind === names.listKind) {
    const detail = "kind and listKind may not be the same";
    errors.push(invalid("spec.names.listKind", names.listKind, detail));
  }
  return errors;
}
