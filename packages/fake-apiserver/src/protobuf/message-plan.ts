import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import type { SchemaField, SchemaTable, StructType } from "../schema/schema-table.ts";
import { type ScalarCodec, scalarCodec } from "./scalar-codecs.ts";
import { jsonMessages, type SpecialForm, specialForms } from "./special-messages.ts";

/** How a value is read and written. */
export type ValuePlan =
  | { readonly kind: "scalar"; readonly codec: ScalarCodec }
  | { readonly kind: "message"; readonly plan: MessagePlan }
  /** A message that is a list in JSON: that of its field `items`. */
  | { readonly kind: "wrapped"; readonly plan: MessagePlan }
  /** A message that is no object in JSON. */
  | { readonly kind: "special"; readonly plan: MessagePlan; readonly form: SpecialForm }
  /** A message that carries JSON as it is, in one field. */
  | { readonly kind: "json"; readonly goName: string };

/** How a field of a message is read and written. */
export interface FieldPlan {
  readonly number: number;
  /** Its name in JSON. */
  readonly name: string;
  /** Its name in Go, for errors. */
  readonly goName: string;
  /** An inline message has its fields in the JSON object of its parent. */
  readonly shape: "one" | "list" | "map" | "inline";
  /** That of an item, and for maps of an entry: a message with `key` and `value`. */
  readonly value: ValuePlan;
  /** No pointer in Go: written when it is zero or absent, too. */
  readonly always: boolean;
  /** Left out of JSON when it is zero: 0, false and "". */
  readonly omitsZero: boolean;
}

/** How a message is read and written. Its fields are planned at first use: types are circular. */
export interface MessagePlan {
  readonly name: string;
  /** In the order of their numbers, as Go writes them. */
  readonly fields: readonly FieldPlan[];
  readonly byNumber: ReadonlyMap<number, FieldPlan>;
}

/**
 * What has the fields of a message in JSON. Without a schema, `plain` fields are always written;
 * the form of a `special` message says which of its fields are.
 */
type Owner = StructType | "plain" | "special";

/** Plans messages: the descriptors know the wire, the schemas JSON's names and Go's pointers. */
export class MessagePlanner {
  readonly #table: SchemaTable;
  readonly #plans = new Map<string, MessagePlan>();

  constructor(table: SchemaTable) {
    this.#table = table;
  }

  /** The plan of a message that is an object of its own. */
  plan(message: DescMessage): MessagePlan {
    const { typeName } = message;
    const known = this.#plans.get(typeName);
    if (known !== undefined) return known;
    const plan = new LazyPlan(message.name, () => {
      const type = this.#table.type(schemaNameOf(typeName));
      return this.#fields(message, type?.kind === "struct" ? type : "plain");
    });
    this.#plans.set(typeName, plan);
    return plan;
  }

  #fields(message: DescMessage, owner: Owner): readonly FieldPlan[] {
    return message.fields
      .toSorted((one, other) => one.number - other.number)
      .map((field) => this.#field(field, owner));
  }

  #field(field: DescField, owner: Owner): FieldPlan {
    const shape: FieldPlan["shape"] =
      field.fieldKind === "list" || field.fieldKind === "map" ? field.fieldKind : "one";
    const { name: protoName, number } = field;
    const common = { number, name: protoName, goName: goNameOf(field), shape };
    if (typeof owner === "string") {
      return {
        ...common,
        value: this.#value(field, false),
        always: owner === "plain",
        omitsZero: false,
      };
    }
    const known = schemaField(protoName, owner);
    if (known === undefined && field.fieldKind === "message") {
      // Embedded in Go, and so a part of its parent in JSON.
      const { message } = field;
      const plan = new LazyPlan(message.name, () => this.#fields(message, owner));
      const value: ValuePlan = { kind: "message", plan };
      return { ...common, shape: "inline", value, always: true, omitsZero: false };
    }
    if (known === undefined) throw new TypeError(`Cannot plan ${field.toString()}: not in JSON`);
    const { name, nullable, omitsZero, type, written } = known;
    const value = this.#value(field, type.kind === "list" && shape === "one");
    const always = (written && !nullable) || omitsZero;
    // Bytes are no pointer in Go, and JSON that need not have them does not have empty ones.
    const omitsEmpty = omitsZero || (field.scalar === ScalarType.BYTES && !written);
    return { ...common, name, value, always, omitsZero: omitsEmpty };
  }

  #value(field: DescField, isList: boolean): ValuePlan {
    if (field.fieldKind !== "map") return this.#single(field, isList);
    // Both fields of an entry are always written. All keys are texts.
    const goName = goNameOf(field);
    const common = { goName, shape: "one", always: true, omitsZero: false } as const;
    const key: ValuePlan = { kind: "scalar", codec: scalarCodec(ScalarType.STRING) };
    const plan = new LazyPlan(goName, () => [
      { ...common, number: 1, name: "key", value: key },
      { ...common, number: 2, name: "value", value: this.#single(field, true) },
    ]);
    return { kind: "message", plan };
  }

  /** @param mayBeList a message with nothing but items is a list in JSON */
  #single({ message, name, scalar }: DescField, mayBeList: boolean): ValuePlan {
    if (scalar !== undefined) return { kind: "scalar", codec: scalarCodec(scalar) };
    // Kubernetes writes its enumerations as texts.
    if (message === undefined) throw new TypeError(`Cannot plan the enumeration ${name}`);
    const form = specialForms.get(message.name);
    if (form !== undefined) {
      const plan = new LazyPlan(message.name, () => this.#fields(message, "special"));
      return { kind: "special", plan, form };
    }
    const [items] = message.fields;
    if (items !== undefined && jsonMessages.has(message.name)) {
      return { kind: "json", goName: goNameOf(items) };
    }
    const isWrapped = mayBeList && message.fields.length === 1 && items?.name === "items";
    return { kind: isWrapped ? "wrapped" : "message", plan: this.plan(message) };
  }
}

class LazyPlan implements MessagePlan {
  readonly name: string;
  readonly #make: () => readonly FieldPlan[];
  #fields: readonly FieldPlan[] | undefined;
  #byNumber: ReadonlyMap<number, FieldPlan> | undefined;

  constructor(name: string, make: () => readonly FieldPlan[]) {
    this.name = name;
    this.#make = make;
  }

  get fields(): readonly FieldPlan[] {
    return (this.#fields ??= this.#make());
  }

  get byNumber(): ReadonlyMap<number, FieldPlan> {
    return (this.#byNumber ??= new Map(this.fields.map((field) => [field.number, field])));
  }
}

/** The schema of a message: io.k8s.api.core.v1.Pod for k8s.io.api.core.v1.Pod. */
function schemaNameOf(typeName: string): string {
  return typeName.replace(/^k8s\.io\./, "io.k8s.").replaceAll("_", "-");
}

/** The message of a schema. */
export function messageNameOf(schema: string): string {
  return schema.replace(/^io\.k8s\./, "k8s.io.").replaceAll("-", "_");
}

// Names differ in case and signs only: aPIGroup, xKubernetesListType and ref are apiGroup,
// x-kubernetes-list-type and $ref in JSON.
function schemaField(protoName: string, { fields }: StructType): SchemaField | undefined {
  const known = fields.get(protoName);
  if (known !== undefined) return known;
  const wanted = protoName.toLowerCase();
  for (const [name, field] of fields) {
    if (name.replaceAll(/[-$]/g, "").toLowerCase() === wanted) return field;
  }
  return undefined;
}

function goNameOf({ name, message }: DescField): string {
  if (name === "metadata" && message !== undefined) return message.name;
  return name.charAt(0).toUpperCase() + name.slice(1);
}
