import { escapeFieldValue } from "@listwatch/core-fifo/base";
import { type FieldRequirement, parseTerms } from "./field-parser.ts";

/** The fields of an object by name; a missing field equals the empty value. */
export type FieldValues = Readonly<Record<string, string | undefined>>;

/**
 * Chooses objects by values of their fields: all terms must be fulfilled. Immutable.
 *
 * ```ts
 * import { FieldSelector, fieldOf } from "@listwatch/store-indexer";
 *
 * const selector = FieldSelector.parse("spec.nodeName=n1,status.phase!=Failed");
 * const pod = { spec: { nodeName: "n1" }, status: { phase: "Running" } };
 * if (!selector.matches((field) => fieldOf(pod, field))) throw new Error("Expected a match");
 * ```
 */
export class FieldSelector {
  /** Matches every object; its text is empty. */
  static readonly everything: FieldSelector = new FieldSelector([]);
  /** Matches no object; it has no text. */
  static readonly nothing: FieldSelector = new FieldSelector(undefined);

  // Selectors inside a selector keep their own text, also the empty one.
  readonly #terms: readonly (FieldRequirement | FieldSelector)[] | undefined;

  private constructor(terms: readonly (FieldRequirement | FieldSelector)[] | undefined) {
    this.#terms = terms;
  }

  /**
   * Parses a selector as `kubectl --field-selector` and the API server take it: terms
   * `field=value`, `field==value` and `field!=value` between commas, with a backslash before a
   * comma, an equals sign or a backslash in a value. Whitespace counts.
   *
   * @throws {InvalidSelectorError} if a term has no operator
   * @throws {InvalidEscapeError} if a backslash stands before something else
   * @throws {UnescapedCharacterError} if a value has an equals sign without backslash
   */
  static parse(text: string): FieldSelector {
    const terms = parseTerms(text);
    return terms.length === 0 ? FieldSelector.everything : new FieldSelector(terms);
  }

  /** The selector of objects whose field has a value. */
  static equal(field: string, value: string): FieldSelector {
    return new FieldSelector([{ field, operator: "=", value }]);
  }

  /** The selector of objects whose field has another value or none. */
  static notEqual(field: string, value: string): FieldSelector {
    return new FieldSelector([{ field, operator: "!=", value }]);
  }

  /** The selector of what all given ones match. */
  static and(...selectors: readonly FieldSelector[]): FieldSelector {
    return new FieldSelector(selectors);
  }

  /** Whether it matches everything, by having no requirement. */
  get isEmpty(): boolean {
    return this.#terms?.every((term) => term instanceof FieldSelector && term.isEmpty) ?? false;
  }

  /** In the order of the text. */
  get requirements(): readonly FieldRequirement[] {
    return (this.#terms ?? []).flatMap((term) =>
      term instanceof FieldSelector ? term.requirements : [term],
    );
  }

  /** Whether an object's fields fulfil all terms. O(terms). */
  matches(fields: FieldValues | ((field: string) => string | undefined)): boolean {
    if (this.#terms === undefined) return false;
    const valueOf =
      typeof fields === "function" ? fields : (field: string) => ownField(fields, field);
    return this.#terms.every((term) =>
      term instanceof FieldSelector
        ? term.matches(valueOf)
        : ((valueOf(term.field) ?? "") === term.value) === (term.operator === "="),
    );
  }

  /** The value that a field must have, if a term says so. */
  requiresExactMatch(field: string): string | undefined {
    return this.requirements.find((term) => term.field === field && term.operator === "=")?.value;
  }

  /** The text. Parsing it gives a selector with the same terms. */
  toString(): string {
    return (this.#terms ?? [])
      .map((term) =>
        term instanceof FieldSelector
          ? term.toString()
          : `${term.field}${term.operator}${escapeFieldValue(term.value)}`,
      )
      .join(",");
  }
}

/**
 * The value of a field by its path, such as `spec.nodeName`: strings as they are, numbers and
 * booleans as text, `undefined` for anything else. The API server knows a few fields of each
 * resource only, a cache knows all.
 */
export function fieldOf(object: unknown, path: string): string | undefined {
  let value: unknown = object;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null) return undefined;
    value = Object.getOwnPropertyDescriptor(value, name)?.value;
  }
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" ? value : undefined;
}

function ownField(fields: FieldValues, field: string): string | undefined {
  return Object.hasOwn(fields, field) ? fields[field] : undefined;
}
