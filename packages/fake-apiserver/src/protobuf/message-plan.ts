import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import type { SchemaField, SchemaTable, StructType } from "../schema/schema-table.ts";
import { type ScalarCodec, scalarCodec } from "./scalar-codecs.ts";
import { jsonMessages, type SpecialForm, specialForms } from "./special-messages.ts";

/** Codec of a value. */
export type ValuePlan =
  | { readonly kind: "scalar"; readonly codec: ScalarCodec }
  | { readonly kind: "message"; readonly plan: MessagePlan }
  /** A message whose field `items` is the list in JSON. */
  | { readonly kind: "wrapped"; readonly plan: MessagePlan }
  /** A message that is not an object in JSON. */
  | { readonly kind: "special"; readonly plan: MessagePlan; readonly form: SpecialForm }
  /** A message with JSON in its only field. */
  | { readonly kind: "json"; readonly goName: string };

/** Codec of a message's field. */
export interface FieldPlan {
  readonly number: number;
  /** Name in JSON. */
  readonly name: string;
  /** Name in Go, for errors. */
  readonly goName: string;
  /** The fields of an inline message are in its parent's JSON object. */
  readonly shape: "one" | "list" | "map" | "inline";
  /** Codec of an item; for maps of an entry, a message with `key` and `value`. */
  readonly value: ValuePlan;
  /** Whether absent and zero values are written: it is not a pointer in Go. */
  readonly always: boolean;
  /** Whether zero values (0, false and "") are omitted in JSON. */
  readonly omitsZero: boolean;
}

/** Codec of a message. Fields are planned on first access because types are circular. */
export interface MessagePlan {
  readonly name: string;
  /** In order of their numbers, as Go writes them. */
  readonly fields: readonly FieldPlan[];
  readonly byNumber: ReadonlyMap<number, FieldPlan>;
}

/** Type in JSON. `plain` fields are always written; a `special` form chooses its fields. */
type Owner = StructType | "plain" | "special";

/** Plans messages: descriptors define the wire format, schemas the JSON names and Go's pointers. */
export class MessagePlanner {
  readonly #table: SchemaTable;
  readonly #plans = new Map<string, MessagePlan>();

  constructor(table: SchemaTable) {
    this.#table = table;
  }

  /** Returns the plan of a separate message. */
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
      // Embedded in Go, so its fields are its parent's in JSON.
      const { message } = field;
      const plan = new LazyPlan(message.name, () => this.#fields(message, owner));
      const value: ValuePlan = { kind: "message", plan };
      return { ...common, shape: "inline", value, always: true, omitsZero: false };
    }
    if (known === undefined) throw new TypeError(`Cannot plan ${field.toString()}: not in JSON`);
    const { name, nullable, omitsZero, type, written } = known;
    const value = this.#value(field, type.kind === "list" && shape === "one");
    const always = (written && !nullable) || omitsZero;
    // Bytes are not a pointer in Go; if they are optional in JSON, empty ones are omitted.
    const omitsEmpty = omitsZero || (field.scalar === ScalarType.BYTES && !written);
    return { ...common, name, value, always, omitsZero: omitsEmpty };
  }

  #value(field: DescField, isList: boolean): ValuePlan {
    if (field.fieldKind !== "map") return this.#single(field, isList);
    // Both fields of an entry are always written. All keys are strings.
    const goName = goNameOf(field);
    const common = { goName, shape: "one", always: true, omitsZero: false } as const;
    const key: ValuePlan = { kind: "scalar", codec: scalarCodec(ScalarType.STRING) };
    const plan = new LazyPlan(goName, () => [
      { ...common, number: 1, name: "key", value: key },
      { ...common, number: 2, name: "value", value: this.#single(field, true) },
    ]);
    return { kind: "message", plan };
  }

  /** @param mayBeList whether a message with only `items` is a list in JSON */
  #single({ message, name, scalar }: DescField, mayBeList: boolean): ValuePlan {
    if (scalar !== undefined) return { kind: "scalar", codec: scalarCodec(scalar) };
    // Kubernetes writes its enumerations as strings.
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

/** io.k8s.api.core.v1.Pod is k8s.io.api.core.v1.Pod in protobuf. */
function schemaNameOf(typeName: string): string {
  return typeName.replace(/^k8s\.io\./, "io.k8s.").replaceAll("_", "-");
}

/** Returns the message name of a schema. */
export function messageNameOf(schema: string): string {
  return schema.replace(/^io\.k8s\./, "k8s.io.").replaceAll("-", "_");
}

// Names differ only in case and signs: aPIGroup, xKubernetesListType and ref are apiGroup,
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
