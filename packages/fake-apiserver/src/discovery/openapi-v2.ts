import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { isRecord, recordOf, type JsonObject } from "@listwatch/core-fifo/base";
import { securitySchemes, withKinds, type OpenApiDocument, type OpenApiParts } from "./openapi.ts";

/**
 * Media type of the document in protobuf. Servers answer with it to the older name, too, which
 * client-go asks for and Go's reader of media types refuses: k8s.io/kube-openapi pkg/handler.
 */
export const openApiV2ProtobufType = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
const olderProtobufType = openApiV2ProtobufType.replace("v2.v1.0", "v2@v1.0");

/** Whether an Accept header asks for the document in protobuf. */
export function acceptsOpenApiV2Protobuf(accept: string | null): boolean {
  return (
    accept?.includes(openApiV2ProtobufType) === true || accept?.includes(olderProtobufType) === true
  );
}

const v3Prefix = "#/components/schemas/";
const v2Prefix = "#/definitions/";

/**
 * Makes the document of `/openapi/v2` from those of version 3. Parameters are written where they
 * are used, whereas a server refers to those that several operations have.
 */
export function openApiV2Document(
  documents: Iterable<OpenApiDocument>,
  parts: OpenApiParts,
): JsonObject {
  const paths: Record<string, JsonObject> = {};
  const schemas: Record<string, unknown> = Object.fromEntries(parts.schemas);
  let info: unknown;
  for (const { json } of documents) {
    const document: unknown = JSON.parse(json);
    const { components, info: ofDocument, paths: items } = recordOf(document);
    info ??= ofDocument;
    for (const [path, item] of Object.entries(recordOf(items))) paths[path] = pathItem(item);
    for (const [name, schema] of Object.entries(recordOf(recordOf(components)["schemas"]))) {
      schemas[name] ??= schema;
    }
  }
  const all = withKinds(schemas, parts.groupVersions);
  const definitions = Object.entries(all).map(([name, schema]) => [name, toV2(schema)] as const);
  return {
    swagger: "2.0",
    info,
    paths: sorted(Object.entries(paths)),
    definitions: sorted(definitions),
    securityDefinitions: securitySchemes,
    security: [{ BearerToken: [] }],
  };
}

function sorted(entries: readonly (readonly [string, unknown])[]): JsonObject {
  return Object.fromEntries(entries.toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

const methods = ["get", "put", "post", "delete", "options", "head", "patch"];

function pathItem(item: unknown): JsonObject {
  const { parameters, ...rest } = recordOf(item);
  const operations = methods.flatMap((method) => {
    const operation = rest[method];
    return isRecord(operation) ? [[method, operationOf(operation)] as const] : [];
  });
  const shared = parametersOf(parameters);
  return { ...Object.fromEntries(operations), ...(shared.length > 0 && { parameters: shared }) };
}

function operationOf(operation: JsonObject): JsonObject {
  const { description, operationId, parameters, requestBody, responses, tags } = operation;
  const { content, required } = recordOf(requestBody);
  const bodies = Object.entries(recordOf(content));
  const schema = toV2(recordOf(bodies[0]?.[1])["schema"]);
  const body = { name: "body", in: "body", ...(required === true && { required }), schema };
  const all = [...(bodies.length === 0 ? [] : [body]), ...parametersOf(parameters)];
  const answers = Object.entries(recordOf(responses));
  const types = answers.flatMap(([, answer]) => Object.keys(recordOf(recordOf(answer)["content"])));
  const consumed = consumedTypes(operation, Object.keys(recordOf(content)), types);
  return {
    description,
    ...(consumed.length > 0 && { consumes: consumed }),
    produces: ordered(types),
    schemes: ["https"],
    tags,
    operationId,
    ...(all.length > 0 && { parameters: all }),
    responses: Object.fromEntries(answers.map(([code, answer]) => [code, answerOf(answer)])),
    ...Object.fromEntries(Object.entries(operation).filter(([name]) => name.startsWith("x-"))),
  };
}

function answerOf(answer: unknown): JsonObject {
  const { content, description } = recordOf(answer);
  const [first] = Object.values(recordOf(content));
  const { schema } = recordOf(first);
  return { description, ...(isRecord(schema) && { schema: toV2(schema) }) };
}

// Discovery takes the types that it answers in, documents about the server take none.
function consumedTypes(
  { operationId, ...operation }: JsonObject,
  body: readonly string[],
  answers: readonly string[],
): readonly string[] {
  if (body.length > 0) return ordered(body);
  const isBuiltin = answers.includes("application/vnd.kubernetes.protobuf");
  if (operation["x-kubernetes-action"] !== undefined && (isBuiltin || answers.includes("*/*"))) {
    return ["*/*"];
  }
  const isAboutServer = String(operationId).startsWith("getServiceAccountIssuer");
  return isAboutServer ? [] : ordered(answers);
}

// The order of a server; documents of version 3 sort their types.
const typeOrder = [
  "text/plain",
  "application/json",
  "application/yaml",
  "application/vnd.kubernetes.protobuf",
  "application/json;stream=watch",
  "application/vnd.kubernetes.protobuf;stream=watch",
  "application/json-patch+json",
  "application/merge-patch+json",
  "application/strategic-merge-patch+json",
  "application/apply-patch+yaml",
];

function ordered(types: readonly string[]): readonly string[] {
  const place = (type: string): number => typeOrder.indexOf(type);
  return [...new Set(types)].toSorted((left, right) => place(left) - place(right));
}

// A parameter has its type itself, in place of a schema.
function parametersOf(parameters: unknown): readonly JsonObject[] {
  if (!Array.isArray(parameters)) return [];
  return parameters
    .filter(isRecord)
    .map(({ schema, ...rest }) => Object.assign({}, recordOf(schema), rest));
}

/**
 * A schema of version 2: a reference has its description beside it, and no schema has alternatives
 * or defaults (k8s.io/kube-openapi pkg/schemaconv and pkg/builder3).
 */
function toV2(schema: unknown): unknown {
  if (!isRecord(schema)) return schema;
  const { allOf, anyOf: _any, default: _default, not: _not, nullable, oneOf, ...rest } = schema;
  // kubectl would refuse a null, and fields that are not described.
  const takesAny = schema["x-kubernetes-preserve-unknown-fields"] === true;
  const kinds = schema["x-kubernetes-group-version-kind"];
  // A custom resource: k8s.io/apiextensions-apiserver pkg/controller/openapi/builder.
  if (takesAny && kinds !== undefined) {
    return { type: "object", "x-kubernetes-group-version-kind": kinds };
  }
  if (takesAny || nullable === true) for (const name of typeMembers) delete rest[name];
  const [only] = Array.isArray(allOf) && allOf.length === 1 ? allOf : [];
  const all: JsonObject = isRecord(only) && "$ref" in only ? { ...rest, ...only } : rest;
  const converted = Object.entries(all).map(
    ([name, value]) => [name, partOf(name, value)] as const,
  );
  const isChoice = Array.isArray(oneOf) && all["type"] === undefined;
  return { ...Object.fromEntries(converted), ...(isChoice && { type: "string" }) };
}

const typeMembers = ["type", "items", "properties", "additionalProperties"];

function partOf(name: string, value: unknown): unknown {
  if (name === "$ref" && typeof value === "string") return value.replace(v3Prefix, v2Prefix);
  if (name === "items" || name === "additionalProperties") return toV2(value);
  if (name !== "properties") return value;
  const members = Object.entries(recordOf(value));
  return Object.fromEntries(members.map(([key, member]) => [key, toV2(member)]));
}

/** A document as github.com/google/gnostic-models openapiv2/OpenAPIv2.proto encodes it. */
export function encodeOpenApiV2(document: JsonObject): Uint8Array<ArrayBuffer> {
  const writer = new BinaryWriter();
  text(writer, 1, document["swagger"]);
  message(writer, 2, () => {
    const info = recordOf(document["info"]);
    text(writer, 1, info["title"]);
    text(writer, 2, info["version"]);
  });
  message(writer, 8, () => {
    named(writer, 2, document["paths"], (item) => {
      for (const [method, number] of operationNumbers) {
        const operation = item[method];
        if (isRecord(operation)) message(writer, number, () => writeOperation(writer, operation));
      }
      writeParameters(writer, 9, item["parameters"]);
    });
  });
  message(writer, 9, () => {
    named(writer, 1, document["definitions"], (schema) => writeSchema(writer, schema));
  });
  message(writer, 12, () =>
    message(writer, 1, () => {
      text(writer, 1, "BearerToken");
      message(writer, 2, () => undefined);
    }),
  );
  message(writer, 13, () => {
    named(writer, 1, document["securityDefinitions"], (scheme) => {
      message(writer, 2, () => {
        text(writer, 1, scheme["type"]);
        text(writer, 2, scheme["name"]);
        text(writer, 3, scheme["in"]);
        text(writer, 4, scheme["description"]);
      });
    });
  });
  return Uint8Array.from(writer.finish());
}

const operationNumbers = [
  ["get", 2],
  ["put", 3],
  ["post", 4],
  ["delete", 5],
  ["options", 6],
  ["head", 7],
  ["patch", 8],
] as const;

function writeOperation(writer: BinaryWriter, operation: JsonObject): void {
  texts(writer, 1, operation["tags"]);
  text(writer, 3, operation["description"]);
  text(writer, 5, operation["operationId"]);
  texts(writer, 6, operation["produces"]);
  texts(writer, 7, operation["consumes"]);
  writeParameters(writer, 8, operation["parameters"]);
  message(writer, 9, () => {
    named(writer, 1, operation["responses"], (response) => {
      message(writer, 1, () => {
        text(writer, 1, response["description"]);
        const { schema } = response;
        if (!isRecord(schema)) return;
        message(writer, 2, () => message(writer, 1, () => writeSchema(writer, schema)));
      });
    });
  });
  texts(writer, 10, operation["schemes"]);
  writeExtensions(writer, 13, operation);
}

// Those in a query and those in a path have their fields in almost the same order.
function writeParameters(writer: BinaryWriter, number: number, parameters: unknown): void {
  for (const parameter of Array.isArray(parameters) ? parameters.filter(isRecord) : []) {
    if (parameter["in"] === "body") {
      message(writer, number, () => message(writer, 1, () => writeBody(writer, parameter)));
      continue;
    }
    const isQuery = parameter["in"] === "query";
    message(writer, number, () => {
      message(writer, 1, () => {
        message(writer, 2, () => {
          message(writer, isQuery ? 3 : 4, () => {
            flag(writer, 1, parameter["required"]);
            text(writer, 2, parameter["in"]);
            text(writer, 3, parameter["description"]);
            text(writer, 4, parameter["name"]);
            text(writer, isQuery ? 6 : 5, parameter["type"]);
            flag(writer, isQuery ? 20 : 19, parameter["uniqueItems"]);
          });
        });
      });
    });
  }
}

function writeBody(writer: BinaryWriter, { in: place, name, required, schema }: JsonObject): void {
  message(writer, 1, () => {
    text(writer, 2, name);
    text(writer, 3, place);
    flag(writer, 4, required);
    message(writer, 5, () => writeSchema(writer, recordOf(schema)));
  });
}

function writeSchema(writer: BinaryWriter, schema: JsonObject): void {
  const { additionalProperties, items, properties, type } = schema;
  text(writer, 1, schema["$ref"]);
  text(writer, 2, schema["format"]);
  text(writer, 4, schema["description"]);
  text(writer, 13, schema["pattern"]);
  texts(writer, 19, schema["required"]);
  for (const one of Array.isArray(schema["enum"]) ? schema["enum"] : []) {
    message(writer, 20, () => text(writer, 2, JSON.stringify(one)));
  }
  if (isRecord(additionalProperties)) {
    message(writer, 21, () => message(writer, 1, () => writeSchema(writer, additionalProperties)));
  } else if (typeof additionalProperties === "boolean") {
    message(writer, 21, () => flag(writer, 2, additionalProperties));
  }
  if (typeof type === "string") message(writer, 22, () => text(writer, 1, type));
  if (isRecord(items)) {
    message(writer, 23, () => message(writer, 1, () => writeSchema(writer, items)));
  }
  if (isRecord(properties)) {
    message(writer, 25, () => {
      named(writer, 1, properties, (property) => writeSchema(writer, property));
    });
  }
  writeExtensions(writer, 31, schema);
}

// Values of extensions are YAML, which JSON is too.
function writeExtensions(writer: BinaryWriter, number: number, object: JsonObject): void {
  for (const [name, value] of Object.entries(object)) {
    if (!name.startsWith("x-")) continue;
    message(writer, number, () => {
      text(writer, 1, name);
      message(writer, 2, () => text(writer, 2, JSON.stringify(value)));
    });
  }
}

/** Writes the members of an object as messages of a name and a value. */
function named(
  writer: BinaryWriter,
  number: number,
  members: unknown,
  write: (value: JsonObject) => void,
): void {
  for (const [name, value] of Object.entries(recordOf(members))) {
    message(writer, number, () => {
      text(writer, 1, name);
      message(writer, 2, () => write(recordOf(value)));
    });
  }
}

function message(writer: BinaryWriter, number: number, write: () => void): void {
  writer.tag(number, WireType.LengthDelimited).fork();
  write();
  writer.join();
}

function text(writer: BinaryWriter, number: number, value: unknown): void {
  if (typeof value !== "string" || value === "") return;
  writer.tag(number, WireType.LengthDelimited).string(value);
}

function texts(writer: BinaryWriter, number: number, values: unknown): void {
  for (const value of Array.isArray(values) ? values : []) text(writer, number, value);
}

function flag(writer: BinaryWriter, number: number, value: unknown): void {
  if (value === true) writer.tag(number, WireType.Varint).bool(true);
}
