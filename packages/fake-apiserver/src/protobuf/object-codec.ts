import { createFileRegistry, type FileRegistry, fromBinary } from "@bufbuild/protobuf";
import { base64Decode } from "@bufbuild/protobuf/wire";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import type { JsonObject } from "@listwatch/core-fifo/base";
import { textOf } from "../base/go-text.ts";
import type { ExpectedKind } from "../input/body.ts";
import { MalformedBodyError } from "../input/errors.ts";
import { loadSchemaTable, type SchemaTable } from "../schema/schema-table.ts";
import { decodeMessage } from "./decode-message.ts";
import { descriptorSet } from "./descriptors.generated.ts";
import { writeFields } from "./encode-message.ts";
import { openEnvelope, sealEnvelope, sealEvent } from "./envelope.ts";
import { type MessagePlan, MessagePlanner, messageNameOf } from "./message-plan.ts";

const metaPackage = "k8s.io.apimachinery.pkg.apis.meta.v1";

/** Creates the codec of all built-in kinds. */
export async function createObjectCodec(): Promise<ObjectCodec> {
  const table = await loadSchemaTable();
  const set = fromBinary(FileDescriptorSetSchema, base64Decode(descriptorSet));
  return new ObjectCodec(createFileRegistry(set), table);
}

/** Converts built-in objects to protobuf and back. */
export class ObjectCodec {
  readonly #registry: FileRegistry;
  readonly #table: SchemaTable;
  readonly #planner: MessagePlanner;
  readonly #plans = new Map<string, MessagePlan>();

  constructor(registry: FileRegistry, table: SchemaTable) {
    this.#registry = registry;
    this.#table = table;
    this.#planner = new MessagePlanner(table);
  }

  /**
   * Decodes an object and sets its `apiVersion` and `kind`. Unknown fields are skipped; a kind
   * without a protobuf form decodes to no fields.
   *
   * @throws {MalformedBodyError} if the bytes are malformed
   */
  decode(bytes: Uint8Array, expected: ExpectedKind): JsonObject {
    const { raw, ...given } = openEnvelope(bytes);
    const apiVersion = given.apiVersion || expected.apiVersion;
    const kind = given.kind || expected.kind;
    const plan = this.#planOf(apiVersion, kind);
    if (plan === undefined) return { kind, apiVersion };
    try {
      return { kind, apiVersion, ...decodeMessage(raw, plan) };
    } catch (error) {
      if (!(error instanceof MalformedBodyError)) throw error;
      const version = apiVersion.slice(apiVersion.indexOf("/") + 1);
      throw new MalformedBodyError(error.message, { type: { kind, version }, cause: error });
    }
  }

  /**
   * Encodes an object with an `apiVersion` and a `kind`.
   *
   * @throws {TypeError} for a kind without a protobuf form
   */
  encode(object: JsonObject): Uint8Array<ArrayBuffer> {
    const apiVersion = textOf(object["apiVersion"] ?? "");
    const kind = textOf(object["kind"] ?? "");
    const plan = this.#planOf(apiVersion, kind);
    if (plan === undefined) throw new TypeError(`Cannot encode a ${kind} of ${apiVersion}`);
    return sealEnvelope(apiVersion, kind, (writer) => writeFields(writer, plan, object));
  }

  /** Encodes a watch event without its length prefix. */
  encodeEvent(type: string, object: JsonObject): Uint8Array<ArrayBuffer> {
    return sealEvent(type, this.encode(object));
  }

  #planOf(apiVersion: string, kind: string): MessagePlan | undefined {
    const key = `${apiVersion} ${kind}`;
    const known = this.#plans.get(key);
    if (known !== undefined) return known;
    const type = this.#table.typeOf(apiVersion, kind);
    // Options, Status, partial metadata and discovery are the same in all groups.
    const name = type === undefined ? `${metaPackage}.${kind}` : messageNameOf(type.name);
    const message = this.#registry.getMessage(name);
    if (message === undefined) return undefined;
    const plan = this.#planner.plan(message);
    this.#plans.set(key, plan);
    return plan;
  }
}
