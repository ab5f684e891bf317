import { isJsonEqual, isRecord, recordOf, type JsonObject } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import { field, flag, objects, text, texts } from "../base/read-fields.ts";
import {
  isSchemaKeyword,
  isUnsupportedKeyword,
  validateOpenApiRules,
} from "../schema/openapi-rules.ts";
import { validateDefaults } from "../schema/schema-defaults.ts";
import { shownSchema } from "./shown-schema.ts";
import { validateStructural } from "../schema/structural.ts";
import { checkWebhookClient } from "../rules/webhook-client.ts";
import { isJsonSchema } from "../schema/schema-types.ts";
import { ruleEngine } from "../cel/rule-engine.ts";
import { validateRules } from "../schema/validation-rules.ts";
import type { FieldError } from "../api/errors.ts";
import { validateApproval } from "./api-approval.ts";
import { validateColumns, validateSelectableFields, validateSubresources } from "./crd-version.ts";
import {
  forbidden,
  invalid,
  invalidShown,
  notSupported,
  required,
} from "../validation/field-errors.ts";
import { checkDns1035Label, checkDnsSubdomain } from "../validation/names.ts";

const scopes: readonly string[] = ["Cluster", "Namespaced"];
const conversions: readonly string[] = ["None", "Webhook"];

/** Validates a new CustomResourceDefinition with defaults, except its metadata. */
export function validateCustomResourceDefinition(crd: ApiObject): readonly FieldError[] {
  const { spec, status } = crd;
  const name = crd.metadata.name ?? "";
  const errors: FieldError[] = [];
  const expected = `${text(spec, "names", "plural")}.${text(spec, "group")}`;
  // That a name is missing is an error of its metadata.
  if (name !== "" && name !== expected) {
    errors.push(invalid("metadata.name", name, 'must be spec.names.plural+"."+spec.group'));
  }
  errors.push(
    ...validateSpec(recordOf(spec)),
    ...validateStoredObjects(recordOf(status), recordOf(spec)),
    ...validateApproval(crd, undefined),
  );
  return errors;
}

/** Validates a changed CustomResourceDefinition. */
export function validateCustomResourceDefinitionUpdate(
  crd: ApiObject,
  stored: ApiObject,
): readonly FieldError[] {
  const spec = recordOf(crd["spec"]);
  return [
    ...validateSpec(spec),
    ...validateImmutable(spec, recordOf(stored["spec"]), isEstablished(stored)),
    ...validateStoredObjects(recordOf(crd["status"]), spec),
    ...validateApproval(crd, stored),
  ];
}

function isEstablished(crd: ApiObject): boolean {
  return objects(crd, "status", "conditions").some(
    (condition) => condition["type"] === "Established" && condition["status"] === "True",
  );
}

function validateImmutable(
  spec: JsonObject,
  stored: JsonObject,
  established: boolean,
): readonly FieldError[] {
  const names = [["group"], ["names", "plural"]];
  if (established) names.push(["scope"], ["names", "kind"]);
  return names
    .filter((path) => text(spec, ...path) !== text(stored, ...path))
    .map((path) => invalid(`spec.${path.join(".")}`, text(spec, ...path), "field is immutable"));
}

function validateSpec(spec: JsonObject): readonly FieldError[] {
  return [
    ...validateGroup(text(spec, "group")),
    ...validateEnum("spec.scope", text(spec, "scope"), scopes),
    ...validateVersions(spec),
    ...validateNames(spec),
    ...validateConversion(spec),
    ...validatePreserveUnknownFields(spec),
  ];
}

function validateGroup(group: string): readonly FieldError[] {
  if (group === "") return [required("spec.group")];
  const problems = checkDnsSubdomain(group);
  if (problems.length > 0) return [invalid("spec.group", group, problems.join(","))];
  if (group.includes(".")) return [];
  return [invalid("spec.group", group, "should be a domain with at least one dot")];
}

function validateEnum(
  path: string,
  value: string,
  accepted: readonly string[],
): readonly FieldError[] {
  if (value === "") return [required(path)];
  return accepted.includes(value) ? [] : [notSupported(path, value, accepted)];
}

function validateVersions(spec: JsonObject): readonly FieldError[] {
  const versions = objects(spec, "versions");
  const errors: FieldError[] = [];
  const schemas = versions.map((version) => field(version, "schema", "openAPIV3Schema"));
  for (const [index, version] of versions.entries()) {
    const path = `spec.versions[${index}]`;
    const name = text(version, "name");
    const problems = checkDns1035Label(name);
    if (problems.length > 0) errors.push(invalid(`${path}.name`, name, problems.join(",")));
    if (schemas[index] === undefined) errors.push(required(`${path}.schema.openAPIV3Schema`));
    errors.push(...validateWarning(version, path));
  }
  errors.push(...validateParts(versions));
  const names = versions.map((version) => text(version, "name"));
  if (new Set(names).size < names.length) {
    errors.push(
      invalidShown("spec.versions", shownVersions(versions), "must contain unique version names"),
    );
  }
  if (versions.filter((version) => flag(version, "storage")).length !== 1) {
    const detail = "must have exactly one version marked as storage version";
    errors.push(invalidShown("spec.versions", shownVersions(versions), detail));
  }
  return errors;
}

/** Checks fields of versions. The server first moves equal ones to the top: see the paths. */
function validateParts(versions: readonly JsonObject[]): readonly FieldError[] {
  const errors: FieldError[] = [];
  const common = commonParts(versions);
  for (const [index, version] of versions.entries()) {
    const pathOf = (part: VersionPart, top: string, own: string = top): string | undefined => {
      if (!common.has(part)) return `spec.versions[${index}].${own}`;
      return index === 0 ? `spec.${top}` : undefined;
    };
    const schema = field(version, "schema", "openAPIV3Schema");
    const hasStatus = field(version, "subresources", "status") !== undefined;
    const schemaPath = pathOf("schema", "validation", "schema");
    if (schemaPath !== undefined && isRecord(schema)) {
      errors.push(...validateVersionSchema(schema, `${schemaPath}.openAPIV3Schema`, hasStatus));
    }
    const subresources = pathOf("subresources", "subresources");
    if (subresources !== undefined) errors.push(...validateSubresources(version, subresources));
    const columns = pathOf("additionalPrinterColumns", "additionalPrinterColumns");
    if (columns !== undefined) errors.push(...validateColumns(version, columns));
    const fields = pathOf("selectableFields", "selectableFields");
    if (fields !== undefined) errors.push(...validateSelectableFields(version, fields));
  }
  return errors;
}

const versionParts = [
  "schema",
  "subresources",
  "additionalPrinterColumns",
  "selectableFields",
] as const;
type VersionPart = (typeof versionParts)[number];

function commonParts(versions: readonly JsonObject[]): ReadonlySet<VersionPart> {
  const same = versionParts.filter((part) =>
    versions.every((version) => isJsonEqual(version[part], versions[0]?.[part])),
  );
  return new Set(same);
}

function validateVersionSchema(
  schema: JsonObject,
  path: string,
  hasStatus: boolean,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (hasStatus && text(schema, "type") !== "object" && schema["type"] !== undefined) {
    const detail =
      'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    errors.push(invalid(`${path}.type`, schema["type"], detail));
  }
  if (flag(schema, "nullable")) {
    errors.push(forbidden(`${path}.nullable`, "nullable cannot be true at the root"));
  }
  const rulesOfOpenApi = validateOpenApiRules(schema, path);
  // A schema with a keyword that no structural schema has is not looked at any further.
  if (!rulesOfOpenApi.some(isUnsupportedKeyword)) {
    const structural = validateStructural(schema, path);
    errors.push(...(structural.length > 0 ? structural : validateDefaults(schema, path)));
  }
  const last = rulesOfOpenApi.find(isSchemaKeyword);
  errors.push(...rulesOfOpenApi.filter((error) => !isSchemaKeyword(error)));
  if (errors.length === 0 && last !== undefined) return [{ ...last, field: path }];
  // Rules are only checked if a schema has no other errors.
  if (errors.length > 0) return errors;
  const rules = validateRules(schema, path);
  if (rules.length > 0 || !isJsonSchema(schema)) return rules;
  return ruleEngine()?.check(schema, path) ?? [];
}

function validateWarning(version: JsonObject, path: string): readonly FieldError[] {
  const warning = version["deprecationWarning"];
  if (typeof warning !== "string") return [];
  const warningPath = `${path}.deprecationWarning`;
  const problems: string[] = [];
  if (!flag(version, "deprecated")) problems.push("can only be set for deprecated versions");
  else if (warning === "") problems.push("must not be an empty string");
  else if (warning.length > 256) problems.push("must be <= 256 characters long");
  return problems.map((problem) => invalid(warningPath, warning, problem));
}

/** Formats versions like the server's internal type, without the fields moved to the top. */
function shownVersions(versions: readonly JsonObject[]): string {
  const common = commonParts(versions);
  const own = (version: JsonObject, part: VersionPart): unknown =>
    common.has(part) ? null : (version[part] ?? null);
  const shown = versions.map((version) => ({
    Name: text(version, "name"),
    Served: flag(version, "served"),
    Storage: flag(version, "storage"),
    Deprecated: flag(version, "deprecated"),
    DeprecationWarning: version["deprecationWarning"] ?? null,
    Schema: shownValidation(own(version, "schema")),
    Subresources: shownSubresources(own(version, "subresources")),
    AdditionalPrinterColumns: shownItems(own(version, "additionalPrinterColumns"), shownColumn),
    SelectableFields: shownItems(own(version, "selectableFields"), (selectable) => ({
      JSONPath: text(selectable, "jsonPath"),
    })),
  }));
  return JSON.stringify(shown);
}

function shownValidation(schema: unknown): unknown {
  if (!isRecord(schema)) return schema;
  const { openAPIV3Schema } = schema;
  return { OpenAPIV3Schema: isRecord(openAPIV3Schema) ? shownSchema(openAPIV3Schema) : null };
}

function shownSubresources(subresources: unknown): unknown {
  if (!isRecord(subresources)) return subresources;
  const { scale, status } = subresources;
  return {
    Status: status === undefined ? null : {},
    Scale: isRecord(scale)
      ? {
          SpecReplicasPath: text(scale, "specReplicasPath"),
          StatusReplicasPath: text(scale, "statusReplicasPath"),
          LabelSelectorPath: scale["labelSelectorPath"] ?? null,
        }
      : null,
  };
}

function shownItems(items: unknown, show: (item: JsonObject) => unknown): unknown {
  return Array.isArray(items) ? items.filter(isRecord).map(show) : items;
}

function shownColumn(column: JsonObject): unknown {
  return {
    Name: text(column, "name"),
    Type: text(column, "type"),
    Format: text(column, "format"),
    Description: text(column, "description"),
    Priority: column["priority"] ?? 0,
    JSONPath: text(column, "jsonPath"),
  };
}

function validateNames(spec: JsonObject): readonly FieldError[] {
  const path = "spec.names";
  const errors: FieldError[] = [];
  for (const name of ["plural", "singular", "kind", "listKind"]) {
    const value = text(spec, "names", name);
    const isKind = name === "kind" || name === "listKind";
    const problems = checkDns1035Label(isKind ? value.toLowerCase() : value).join(",");
    const prefix = isKind ? "may have mixed case, but should otherwise match: " : "";
    if (value === "") errors.push(required(`${path}.${name}`));
    else if (problems !== "") errors.push(invalid(`${path}.${name}`, value, prefix + problems));
  }
  const kind = text(spec, "names", "kind");
  if (kind !== "" && kind === text(spec, "names", "listKind")) {
    errors.push(invalid(`${path}.listKind`, kind, "kind and listKind may not be the same"));
  }
  for (const name of ["shortNames", "categories"]) {
    for (const [index, value] of texts(spec, "names", name).entries()) {
      const problems = checkDns1035Label(value).join(",");
      if (problems !== "") errors.push(invalid(`${path}.${name}[${index}]`, value, problems));
    }
  }
  return errors;
}

function validateConversion(spec: JsonObject): readonly FieldError[] {
  const conversion = spec["conversion"];
  if (conversion === undefined) return [];
  const strategy = text(conversion, "strategy");
  const errors = [...validateEnum("spec.conversion.strategy", strategy, conversions)];
  const hasClient = field(conversion, "webhook", "clientConfig") !== undefined;
  if (strategy === "Webhook" && !hasClient) {
    const detail = "required when strategy is set to Webhook";
    errors.push(required("spec.conversion.webhookClientConfig", detail));
  }
  if (strategy === "Webhook") {
    if (hasClient) {
      const client = recordOf(field(conversion, "webhook", "clientConfig"));
      errors.push(...checkWebhookClient("spec.conversion.webhookClientConfig", client));
    }
    return [...errors, ...validateReviewVersions(texts(conversion, "webhook", versionsField))];
  }
  const detail = "should not be set when strategy is not set to Webhook";
  if (hasClient) errors.push(forbidden("spec.conversion.webhookClientConfig", detail));
  if (texts(conversion, "webhook", versionsField).length > 0) {
    errors.push(forbidden(`spec.conversion.${versionsField}`, detail));
  }
  return errors;
}

const versionsField = "conversionReviewVersions";
const reviewVersions: readonly string[] = ["v1", "v1beta1"];

function validateReviewVersions(versions: readonly string[]): readonly FieldError[] {
  const path = `spec.conversion.${versionsField}`;
  if (versions.length === 0) return [required(path)];
  const errors: FieldError[] = [];
  for (const [index, version] of versions.entries()) {
    const problems =
      versions.indexOf(version) < index ? ["duplicate version"] : checkDns1035Label(version);
    errors.push(...problems.map((problem) => invalid(`${path}[${index}]`, version, problem)));
  }
  if (!versions.some((version) => reviewVersions.includes(version))) {
    const detail = `must include at least one of ${reviewVersions.join(", ")}`;
    errors.push(invalid(path, versions, detail));
  }
  return errors;
}

function validatePreserveUnknownFields(spec: JsonObject): readonly FieldError[] {
  if (!flag(spec, "preserveUnknownFields")) return [];
  const detail =
    "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead";
  return [invalid("spec.preserveUnknownFields", true, detail)];
}

function validateStoredObjects(status: JsonObject, spec: JsonObject): readonly FieldError[] {
  const path = "status.storedVersions";
  const stored = texts(status, "storedVersions");
  if (stored.length === 0) return [invalid(path, null, "must have at least one stored version")];
  const errors: FieldError[] = [];
  const left = new Set(stored);
  for (const version of objects(spec, "versions")) {
    const name = text(version, "name");
    // Deleted when found: a second version of the name does not count as stored.
    if (left.delete(name) || !flag(version, "storage")) continue;
    errors.push(invalid(path, stored, `must have the storage version ${name}`));
  }
  for (const [index, name] of stored.entries()) {
    if (!left.has(name)) continue;
    const rule = `${name} was previously a storage version, and must remain in spec.versions`;
    const migration = `a storage migration ensures no data remains persisted in ${name}`;
    const removal = `removes ${name} from status.storedVersions`;
    const detail = `missing from spec.versions; ${rule} until ${migration} and ${removal}`;
    errors.push(invalid(`${path}[${index}]`, name, detail));
  }
  return errors;
}
