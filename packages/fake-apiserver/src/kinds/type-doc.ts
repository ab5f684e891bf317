/**
 * The documentation of one API type, for `kubectl explain`. Each field is a type and a sentence.
 * Types: `string`, `integer`, `number`, `boolean`, `object` (free form), `time`, `intOrString`,
 * `quantity`, `map` (of texts), another type by its full name (`core.PodSpec`), each of them as
 * `[]…` for a list, or as `map[…]` for a map.
 */
export interface TypeDoc {
  readonly description: string;
  readonly fields: Readonly<Record<string, FieldDoc>>;
  readonly required?: readonly string[] | undefined;
}

/** The type of a field and a sentence about it. */
export type FieldDoc = readonly [type: string, description: string];

/** Types by their full name: package and kind (`apps.Deployment`). */
export type TypeDocs = Readonly<Record<string, TypeDoc>>;
