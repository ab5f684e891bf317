import { wireType } from "../wire/wire-reader.ts";
import { fieldTableJson } from "./field-table.generated.ts";

/**
 * Form of a field on the wire and in JSON: s string, b boolean, i integer, d floating-point number,
 * y bytes, m message, w message with a list of strings. Messages with a special JSON form: q
 * Quantity, t Time, u MicroTime, n IntOrString, r RawExtension or FieldsV1.
 */
export type FieldForm = "s" | "b" | "i" | "d" | "y" | "m" | "w" | "q" | "t" | "u" | "n" | "r";

/** Number, name in JSON, form and flags, and for a message its index in the table. */
type FieldEntry = readonly [number: number, name: string, code: string, message?: number];

/** The table as generated from the tags of Kubernetes' Go types. */
interface TableEntries {
  /** Index of the message of each kind, such as `apps/v1/Deployment`. */
  readonly kinds: Readonly<Record<string, number>>;
  readonly messages: readonly (readonly FieldEntry[])[];
}

const wireTypes: Readonly<Record<string, number>> = {
  b: wireType.varint,
  i: wireType.varint,
  d: wireType.fixed64,
};

/** Forms that are structs in Go. */
const structForms = "mqtunr";

/** A field of a message. */
export class MessageField {
  readonly name: string;
  readonly form: FieldForm;
  /** Number and wire type, which precede each value. */
  readonly tag: number;
  readonly isRepeated: boolean;
  readonly isMap: boolean;
  /** Whether the fields of the message belong to the outer one in JSON. */
  readonly isInline: boolean;
  /** Whether JSON contains the field if it is absent on the wire. */
  readonly isRequired: boolean;
  /** Whether JSON contains the field if it is zero. */
  readonly keepsZero: boolean;
  /** Whether it is a string that JSON always contains. */
  readonly isPlainText: boolean;
  readonly #isPointer: boolean;
  readonly #table: FieldTable;
  readonly #messageIndex: number;

  constructor(table: FieldTable, [number, name, code, message = -1]: FieldEntry) {
    const flags = code.slice(1);
    // The generator writes no other letters.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    this.form = code.charAt(0) as FieldForm;
    this.name = name;
    this.#table = table;
    this.#messageIndex = message;
    this.#isPointer = flags.includes("P");
    this.isRepeated = flags.includes("R");
    this.isMap = flags.includes("M");
    this.isInline = flags.includes("I");
    const isOne = !this.isRepeated && !this.isMap && !this.#isPointer;
    // Go's omitempty never omits a struct, only omitzero does.
    const isOmitted =
      flags.includes("Z") || (flags.includes("O") && !(isOne && structForms.includes(this.form)));
    this.tag = number * 8 + (this.isMap ? wireType.delimited : this.elementWireType);
    this.isRequired = !this.isInline && !isOmitted;
    this.keepsZero = this.#isPointer || !isOmitted || this.isRepeated;
    this.isPlainText = this.form === "s" && !this.isRepeated && !this.isMap && this.keepsZero;
  }

  /** Wire type of one value. */
  get elementWireType(): number {
    return wireTypes[this.form] ?? wireType.delimited;
  }

  /** Message of a field of form m. */
  get message(): MessageType {
    return this.#table.messageAt(this.#messageIndex);
  }

  /** Value in JSON if the field is absent on the wire. */
  get absent(): unknown {
    if (this.isRepeated || this.isMap || this.#isPointer) return null;
    return this.emptyElement;
  }

  /** Value in JSON of a map entry without one. */
  get emptyElement(): unknown {
    // Times, bytes, JSON and lists of strings are null.
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check
    switch (this.form) {
      case "m": {
        const empty: Record<string, unknown> = {};
        this.message.addAbsent(empty);
        return empty;
      }
      case "s":
        return "";
      case "q":
        return "0";
      case "b":
        return false;
      case "i":
      case "d":
      case "n":
        return 0;
      default:
        return null;
    }
  }
}

/** Fields of a message, created on first use. */
export class MessageType {
  readonly #table: FieldTable;
  readonly #entries: readonly FieldEntry[];
  #byTag: readonly (MessageField | undefined)[] | undefined;
  #required: readonly MessageField[] | undefined;

  constructor(table: FieldTable, entries: readonly FieldEntry[]) {
    this.#table = table;
    this.#entries = entries;
  }

  /** Fields at the index of their tag, and of their tag when packed. */
  get byTag(): readonly (MessageField | undefined)[] {
    return (this.#byTag ??= this.#index());
  }

  /** Fields that JSON contains if they are absent on the wire. */
  get required(): readonly MessageField[] {
    return (this.#required ??= [...new Set(this.byTag)].filter(
      (field): field is MessageField => field?.isRequired === true,
    ));
  }

  /** Adds the fields that JSON contains if they are absent on the wire. */
  addAbsent(object: Record<string, unknown>): void {
    for (const field of this.required) {
      if (object[field.name] === undefined) object[field.name] = field.absent;
    }
  }

  /** Whether there is a field with the number of this tag. */
  hasNumber(tag: number): boolean {
    return this.#entries.some(([number]) => number === tag >>> 3);
  }

  #index(): readonly (MessageField | undefined)[] {
    const byTag: (MessageField | undefined)[] = [];
    for (const entry of this.#entries) {
      const field = new MessageField(this.#table, entry);
      byTag[field.tag] = field;
      if (field.isRepeated) byTag[entry[0] * 8 + wireType.delimited] = field;
    }
    return byTag;
  }
}

/** Messages of all built-in kinds of Kubernetes. */
export class FieldTable {
  readonly #entries: TableEntries;
  readonly #messages: MessageType[] = [];
  #resources: ReadonlySet<string> | undefined;

  constructor(entries: TableEntries) {
    this.#entries = entries;
  }

  messageAt(index: number): MessageType {
    return (this.#messages[index] ??= new MessageType(this, this.#entries.messages[index] ?? []));
  }

  /** Returns the message of a kind; `undefined` if it has none. */
  messageOf({
    apiVersion,
    kind,
  }: Readonly<Record<"apiVersion" | "kind", string>>): MessageType | undefined {
    const name = `${apiVersion}/${kind}`;
    const { kinds } = this.#entries;
    return Object.hasOwn(kinds, name) ? this.messageAt(kinds[name] ?? 0) : undefined;
  }

  /** Whether there is a kind of this plural name in lower case. */
  hasResource(apiVersion: string, resource: string): boolean {
    this.#resources ??= new Set(Object.keys(this.#entries.kinds).map(resourceOf));
    return this.#resources.has(`${apiVersion}/${resource}`);
  }
}

/**
 * Guesses the resource of a kind: apimachinery `UnsafeGuessKindToResource`,
 * pkg/api/meta/restmapper.go.
 */
function resourceOf(name: string): string {
  const slash = name.lastIndexOf("/") + 1;
  const kind = name.slice(slash).toLowerCase();
  return name.slice(0, slash) + pluralOf(kind);
}

function pluralOf(kind: string): string {
  if (kind === "endpoints") return kind;
  if (kind.endsWith("s")) return `${kind}es`;
  return kind.endsWith("y") ? `${kind.slice(0, -1)}ies` : `${kind}s`;
}

/** Creates the table of the kinds that this version knows. */
export function createFieldTable(): FieldTable {
  // The generator writes this type, and `npm run gen -- go-modules` compares it.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return new FieldTable(JSON.parse(fieldTableJson) as TableEntries);
}
