import { beforeAll, describe, expect, test } from "vitest";
import type { ApiObject } from "../../src/api/api-object.ts";
import {
  validateCustomResourceDefinition,
  validateCustomResourceDefinitionUpdate,
} from "../../src/custom-resources/custom-resource-definition.ts";
import { loadPatternEngine } from "../../src/schema/pattern.ts";

beforeAll(loadPatternEngine);

interface Parts {
  readonly name?: string;
  readonly annotations?: Record<string, string>;
  readonly spec?: object;
  readonly names?: object;
  readonly version?: object;
  readonly schema?: object;
  readonly storedVersions?: readonly string[];
}

const plain = {
  type: "object",
  properties: { spec: { type: "object", properties: { a: { type: "string" } } } },
};

function definition(parts: Parts = {}): ApiObject {
  const { schema = plain } = parts;
  const version = {
    name: "v1",
    served: true,
    storage: true,
    schema: { openAPIV3Schema: schema },
    ...parts.version,
  };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: parts.name ?? "widgets.example.com", annotations: parts.annotations ?? {} },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: {
        plural: "widgets",
        singular: "widget",
        kind: "Widget",
        listKind: "WidgetList",
        ...parts.names,
      },
      versions: [version],
      conversion: { strategy: "None" },
      ...parts.spec,
    },
    status: { storedVersions: parts.storedVersions ?? ["v1"] },
  };
}

function problems(parts: Parts): readonly string[] {
  return validateCustomResourceDefinition(definition(parts)).map(
    ({ field, message }) => `${field}: ${message}`,
  );
}

/** Problems of a schema for `spec`, without the path of the schema. */
function schemaProblems(schema: object): readonly string[] {
  const prefix = "spec.validation.openAPIV3Schema.properties[spec]";
  return problems({ schema: { type: "object", properties: { spec: schema } } }).map((problem) =>
    problem.replace(prefix, ""),
  );
}

describe("validateCustomResourceDefinition (API-1.16)", () => {
  test("accepts a plain definition", () => {
    expect(problems({})).toEqual([]);
  });

  test("leaves an empty name to the checks of metadata", () => {
    expect(problems({ name: "" })).toEqual([]);
  });

  test.each<[Parts, string]>([
    [
      { name: "x.example.com" },
      'metadata.name: Invalid value: "x.example.com": must be spec.names.plural+"."+spec.group',
    ],
    [
      { name: "widgets.example", spec: { group: "example" } },
      'spec.group: Invalid value: "example": should be a domain with at least one dot',
    ],
    [
      { spec: { scope: "Galaxy" } },
      'spec.scope: Unsupported value: "Galaxy": supported values: "Cluster", "Namespaced"',
    ],
    [{ spec: { scope: "" } }, "spec.scope: Required value"],
    [{ names: { singular: "" } }, "spec.names.singular: Required value"],
    [
      { names: { listKind: "Widget" } },
      'spec.names.listKind: Invalid value: "Widget": kind and listKind may not be the same',
    ],
    [{ version: { schema: undefined } }, "spec.versions[0].schema.openAPIV3Schema: Required value"],
    [
      { version: { deprecationWarning: "old" } },
      'spec.versions[0].deprecationWarning: Invalid value: "old": can only be set for deprecated versions',
    ],
    [
      { version: { deprecated: true, deprecationWarning: "" } },
      'spec.versions[0].deprecationWarning: Invalid value: "": must not be an empty string',
    ],
    [
      { storedVersions: [] },
      "status.storedVersions: Invalid value: null: must have at least one stored version",
    ],
    [
      { spec: { conversion: { strategy: "Magic" } } },
      'spec.conversion.strategy: Unsupported value: "Magic": supported values: "None", "Webhook"',
    ],
    [
      { spec: { conversion: { strategy: "Webhook" } } },
      "spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook",
    ],
    [
      { spec: { conversion: { strategy: "Webhook" } } },
      "spec.conversion.conversionReviewVersions: Required value",
    ],
    [
      {
        spec: {
          conversion: {
            strategy: "Webhook",
            webhook: { clientConfig: { service: { port: 443, path: "/a//b" } } },
          },
        },
      },
      'spec.conversion.webhookClientConfig.service.path: Invalid value: "/a//b": segment[1] may not be empty',
    ],
    [
      {
        spec: {
          conversion: {
            strategy: "Webhook",
            webhook: {
              clientConfig: { url: "http://me@/convert?a=b#c" },
              conversionReviewVersions: ["v3", "v3"],
            },
          },
        },
      },
      "spec.conversion.webhookClientConfig.url: Invalid value: \"http\": 'https' is the only allowed URL scheme; desired format: https://host[/path]",
    ],
    [
      { schema: { type: "object", nullable: true } },
      "spec.validation.openAPIV3Schema.nullable: Forbidden: nullable cannot be true at the root",
    ],
    [
      { schema: { type: "object", properties: { a: { type: "string", $schema: "x" } } } },
      `spec.validation.openAPIV3Schema: Invalid value: "": OpenAPIV3Schema 'schema' is not supported`,
    ],
  ])("rejects %j", (parts, message) => {
    expect(problems(parts)).toContain(message);
  });

  test("reports invalid kinds with the server's message", () => {
    expect(problems({ names: { kind: "lower case" } })[0]).toMatch(
      /^spec.names.kind: Invalid value: "lower case": may have mixed case, but should otherwise match: a DNS-1035 label must/,
    );
    expect(problems({ names: { shortNames: ["ok", "Bad"] } })[0]).toMatch(
      /^spec.names.shortNames\[1\]: Invalid value: "Bad"/,
    );
  });

  test("requires exactly one storage version, and prints versions in the server's internal form", () => {
    expect(problems({ version: { storage: false } })).toEqual([
      'spec.versions: Invalid value: [{"Name":"v1","Served":true,"Storage":false,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null}]: must have exactly one version marked as storage version',
    ]);
  });

  test("requires versions that were ever stored to remain", () => {
    expect(problems({ storedVersions: ["v1", "v0"] })[0]).toMatch(
      /^status.storedVersions\[1\]: Invalid value: "v0": missing from spec.versions; v0 was previously a storage version/,
    );
    expect(problems({ storedVersions: ["v0"] })).toContain(
      'status.storedVersions: Invalid value: ["v0"]: must have the storage version v1',
    );
  });

  test("requires an approval for groups of Kubernetes (KEP-1111)", () => {
    const group = { name: "widgets.x.k8s.io", spec: { group: "x.k8s.io" } };
    const approved = (annotation: string): readonly string[] =>
      problems({ ...group, annotations: { "api-approved.kubernetes.io": annotation } });
    expect(problems(group)[0]).toMatch(
      /^metadata.annotations\[api-approved.kubernetes.io\]: Required value: protected groups must/,
    );
    expect(approved("nonsense")[0]).toContain(
      'with either a URL or a reason starting with "unapproved"',
    );
    expect(approved("unapproved, experimental")).toEqual([]);
    expect(approved("https://github.com/kubernetes/kubernetes/pull/1")).toEqual([]);
  });

  test("names a schema by the path that the server has moved it to", () => {
    const wrong = { openAPIV3Schema: { type: "object", properties: { spec: {} } } };
    const message = "type: Required value: must not be empty for specified object fields";
    const versions = (second: object): object => ({
      versions: [
        { name: "v1", served: true, storage: true, schema: wrong },
        { name: "v2", served: true, storage: false, schema: second },
      ],
    });
    expect(problems({ spec: versions(wrong) })).toEqual([
      `spec.validation.openAPIV3Schema.properties[spec].${message}`,
    ]);
    expect(problems({ spec: versions({ openAPIV3Schema: plain }) })).toEqual([
      `spec.versions[0].schema.openAPIV3Schema.properties[spec].${message}`,
    ]);
  });

  test("validates printer columns, scale paths and selectable fields", () => {
    expect(
      problems({
        version: {
          additionalPrinterColumns: [{ name: "", type: "text", format: "x", jsonPath: "spec" }],
        },
      }),
    ).toEqual([
      "spec.additionalPrinterColumns[0].name: Required value",
      'spec.additionalPrinterColumns[0].type: Invalid value: "text": must be one of boolean,date,integer,number,string',
      'spec.additionalPrinterColumns[0].format: Invalid value: "x": must be one of byte,date,date-time,double,float,int32,int64,password',
      'spec.additionalPrinterColumns[0].JSONPath: Invalid value: "spec": must be a simple json path starting with .',
    ]);
    const scale = { specReplicasPath: ".status.n", labelSelectorPath: ".metadata.x" };
    expect(problems({ version: { subresources: { scale } } })).toEqual([
      'spec.subresources.scale.specReplicasPath: Invalid value: ".status.n": should be a json path under .spec',
      "spec.subresources.scale.statusReplicasPath: Required value",
      'spec.subresources.scale.labelSelectorPath: Invalid value: ".metadata.x": should be a json path under either .spec or .status',
    ]);
    const selectableFields = [".spec.a", ".spec.a", ".spec.none", ".spec", ".metadata.name"].map(
      (jsonPath) => ({ jsonPath }),
    );
    expect(problems({ version: { selectableFields } })).toEqual([
      'spec.selectableFields[1].jsonPath: Duplicate value: ".spec.a"',
      'spec.selectableFields[2].jsonPath: Invalid value: ".spec.none": is an invalid path: does not refer to a valid field',
      'spec.selectableFields[3].jsonPath: Invalid value: ".spec": must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
      'spec.selectableFields[4].jsonPath: Invalid value: ".metadata.name": is an invalid path: does not refer to a valid field',
    ]);
  });
});

describe("structural schemas (API-1.16)", () => {
  test.each<[object, string]>([
    [{}, ".type: Required value: must not be empty for specified object fields"],
    [{ type: "array" }, ".items: Required value: must be specified"],
    [
      { type: "array", items: {} },
      ".items.type: Required value: must not be empty for specified array items",
    ],
    [
      { type: "text" },
      '.type: Unsupported value: "text": supported values: "array", "boolean", "integer", "number", "object", "string"',
    ],
    [
      { type: "object", anyOf: [{ type: "object" }] },
      ".anyOf[0].type: Forbidden: must be empty to be structural",
    ],
    [
      {
        type: "object",
        oneOf: [{ properties: { metadata: {} } }],
        properties: { metadata: { type: "object" } },
      },
      ".oneOf[0].properties[metadata]: Forbidden: must not be specified in a nested context",
    ],
    [
      { type: "string", pattern: "(" },
      '.pattern: Invalid value: "(": must be a valid regular expression, but isn\'t: error parsing regexp: missing closing ): `(`',
    ],
    [
      { type: "string", pattern: "^(?!kube-)" },
      '.pattern: Invalid value: "^(?!kube-)": must be a valid regular expression, but isn\'t: error parsing regexp: invalid or unsupported Perl syntax: `(?!`',
    ],
    [
      {
        type: "object",
        "x-kubernetes-int-or-string": true,
        "x-kubernetes-preserve-unknown-fields": true,
      },
      ".x-kubernetes-preserve-unknown-fields: Invalid value: true: must be false if x-kubernetes-int-or-string is true",
    ],
    [
      { type: "string", "x-kubernetes-embedded-resource": true },
      '.type: Invalid value: "string": must be object if x-kubernetes-embedded-resource is true',
    ],
    [
      {
        type: "object",
        properties: { a: { type: "string" } },
        additionalProperties: { type: "string" },
      },
      ".additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive",
    ],
    [
      { type: "array", items: { type: "string" }, uniqueItems: true },
      ".uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic",
    ],
    [
      { type: "object", patternProperties: { a: {} } },
      ".patternProperties: Forbidden: patternProperties is not supported",
    ],
    [
      { type: "object", properties: { a: { type: "object", dependencies: {} } } },
      ".properties[a].dependencies: Forbidden: dependencies is not supported",
    ],
    [
      { type: "object", "x-kubernetes-map-type": "odd" },
      '.x-kubernetes-map-type: Unsupported value: "odd": supported values: "atomic", "granular"',
    ],
    [
      { type: "string", "x-kubernetes-list-type": "set" },
      '.type: Invalid value: "string": must be array if x-kubernetes-list-type is specified',
    ],
    [
      { type: "array", "x-kubernetes-list-type": "map", items: { type: "object" } },
      ".x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map",
    ],
    [
      {
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["a"],
        items: { type: "object", properties: { a: { type: "string" } } },
      },
      ".items.properties[a].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property",
    ],
    [
      { type: "array", "x-kubernetes-list-type": "set", items: { type: "string", nullable: true } },
      ".items.nullable: Forbidden: cannot be nullable when x-kubernetes-list-type is set",
    ],
    [
      { type: "integer", default: "x" },
      '.default: Invalid value: "string":  in body must be of type integer: "string"',
    ],
    [
      { type: "object", default: { b: 1 }, properties: { a: { type: "string" } } },
      '.default: Invalid value: {"b":1}: must not have unknown fields',
    ],
    [
      { type: "string", "x-kubernetes-validations": [{ rule: "" }] },
      ".x-kubernetes-validations[0].rule: Required value: rule is not specified",
    ],
    [
      { type: "string", "x-kubernetes-validations": [{ rule: "true", reason: "Because" }] },
      '.x-kubernetes-validations[0].reason: Unsupported value: "Because": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"',
    ],
  ])("rejects %j", (schema, message) => {
    expect(schemaProblems(schema)).toContain(message);
  });

  test.each([
    [{ "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] }],
    [
      {
        "x-kubernetes-int-or-string": true,
        allOf: [{ anyOf: [{ type: "integer" }, { type: "string" }] }],
      },
    ],
    [{ "x-kubernetes-preserve-unknown-fields": true }],
    [{ type: "object", additionalProperties: { type: "string" } }],
    [
      {
        type: "string",
        "x-kubernetes-validations": [{ rule: "self.startsWith('a')", message: "starts with a" }],
      },
    ],
    [
      {
        type: "object",
        properties: { a: { type: "string" } },
        "x-kubernetes-validations": [{ rule: "self.a != 'self.b'" }],
      },
    ],
  ])("accepts %j", (schema) => {
    expect(schemaProblems(schema)).toEqual([]);
  });

  test("requires every field in logical junctors at the root to be in the structure", () => {
    const schema = { type: "object", anyOf: [{ properties: { a: {} } }, { items: {} }] };
    const root = "spec.validation.openAPIV3Schema";
    expect(problems({ schema })).toEqual([
      `${root}.properties[a]: Required value: because it is defined in ${root}.anyOf[0].properties[a]`,
      `${root}.items: Required value: because it is defined in ${root}.anyOf[1].items`,
    ]);
  });

  test("allows restrictions of metadata only for the name", () => {
    const metadata = (properties: object): readonly string[] =>
      problems({
        schema: { type: "object", properties: { metadata: { type: "object", properties } } },
      });
    expect(metadata({ name: { type: "string", pattern: "^a" } })).toEqual([]);
    expect(metadata({ labels: { type: "object" } })[0]).toMatch(
      /must not specify anything other than name and generateName/,
    );
  });
});

describe("validateCustomResourceDefinitionUpdate", () => {
  const established = (crd: ApiObject): ApiObject => ({
    ...crd,
    status: { storedVersions: ["v1"], conditions: [{ type: "Established", status: "True" }] },
  });

  test("makes group and plural immutable, and once it is served also scope and kind", () => {
    const changed = definition({
      spec: { scope: "Cluster", group: "x.y" },
      names: { plural: "others", kind: "Other" },
    });
    const fields = (stored: ApiObject): readonly string[] =>
      validateCustomResourceDefinitionUpdate(changed, stored).map(({ field }) => field);
    expect(fields(definition())).toEqual(["spec.group", "spec.names.plural"]);
    expect(fields(established(definition()))).toEqual([
      "spec.group",
      "spec.names.plural",
      "spec.scope",
      "spec.names.kind",
    ]);
  });

  test("accepts an approval that was missing before", () => {
    const crd = definition({ name: "widgets.x.k8s.io", spec: { group: "x.k8s.io" } });
    expect(validateCustomResourceDefinitionUpdate(crd, crd)).toEqual([]);
  });
});
