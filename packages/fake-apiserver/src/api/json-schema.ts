/**
 * The OpenAPI v3 subset that structural schemas of custom resources use (apiextensions.k8s.io/v1
 * JSONSchemaProps).
 */
export interface JsonSchema {
  readonly type?: string | undefined;
  readonly format?: string | undefined;
  readonly description?: string | undefined;
  readonly title?: string | undefined;
  readonly default?: unknown;
  readonly nullable?: boolean | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly properties?: Readonly<Record<string, JsonSchema>> | undefined;
  readonly additionalProperties?: JsonSchema | boolean | undefined;
  readonly items?: JsonSchema | undefined;
  readonly required?: readonly string[] | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly exclusiveMinimum?: boolean | undefined;
  readonly exclusiveMaximum?: boolean | undefined;
  readonly multipleOf?: number | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly pattern?: string | undefined;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
  readonly uniqueItems?: boolean | undefined;
  readonly minProperties?: number | undefined;
  readonly maxProperties?: number | undefined;
  readonly allOf?: readonly JsonSchema[] | undefined;
  readonly anyOf?: readonly JsonSchema[] | undefined;
  readonly oneOf?: readonly JsonSchema[] | undefined;
  readonly not?: JsonSchema | undefined;
  readonly "x-kubernetes-preserve-unknown-fields"?: boolean | undefined;
  readonly "x-kubernetes-embedded-resource"?: boolean | undefined;
  readonly "x-kubernetes-int-or-string"?: boolean | undefined;
  readonly "x-kubernetes-list-type"?: string | undefined;
  readonly "x-kubernetes-list-map-keys"?: readonly string[] | undefined;
  readonly "x-kubernetes-map-type"?: string | undefined;
  readonly "x-kubernetes-validations"?: readonly unknown[] | undefined;
}
