import { escapeFieldValue } from "@listwatch/core-fifo/base";
import { type FieldRequirement, holds, parseTerms } from "./field-parser.ts";

/** Fields of an object by name. A missing field equals the empty value. */
export type FieldValues = Readonly<Record<string, string | undefined>>;

/**
 * Selects objects by the values of their fields. All terms must match. Immutable.
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
  /** Matches every object. Its string is empty. */
  static readonly everything: FieldSelector = /* @__PURE__ */ new FieldSelector([]);
  /** Matches no object. It has no string. */
  static readonly nothing: FieldSelector = /* @__PURE__ */ new FieldSelector(undefined);

  // Selectors inside a selector keep their string, even an empty one.
  readonly #terms: readonly (FieldRequirement | FieldSelector)[] | undefined;

  private constructor(terms: readonly (FieldRequirement | FieldSelector)[] | undefined) {
    this.#terms = terms;
  }

  /**
   * Parses a selector as `kubectl --field-selector` and the API server do: terms `field=value`,
   * `field==value` and `field!=value`, separated by commas. In a value, a backslash precedes each
   * comma, equals sign and backslash. White space counts.
   *
   * @throws {InvalidSelectorError} if a term has no operator, or a value has a wrong backslash or
   *   an equals sign without one
   */
  static parse(text: string): FieldSelector {
    const terms = parseTerms(text);
    return terms.length === 0 ? FieldSelector.everything : new FieldSelector(terms);
  }

  /**
   * Selects objects whose field has this value.
   *
   * @param field path of the field, such as `spec.nodeName`
   * @param value value to compare with, without escapes
   */
  static equal(field: string, value: string): FieldSelector {
    return new FieldSelector([{ field, operator: "=", value }]);
  }

  /**
   * Selects objects whose field has another value, or is missing.
   *
   * @param field path of the field, such as `spec.nodeName`
   * @param value value to compare with, without escapes
   */
  static notEqual(field: string, value: string): FieldSelector {
    return new FieldSelector([{ field, operator: "!=", value }]);
  }

  /** Selects objects that match all given selectors. */
  static and(...selectors: readonly FieldSelector[]): FieldSelector {
    return new FieldSelector(selectors);
  }

  /** Whether it has no requirement and matches every object. */
  get isEmpty(): boolean {
    return this.#terms?.every((term) => term instanceof FieldSelector && term.isEmpty) ?? false;
  }

  /** Requirements in the order of the string. */
  get requirements(): readonly FieldRequirement[] {
    return (this.#terms ?? []).flatMap((term) =>
      term instanceof FieldSelector ? term.requirements : [term],
    );
  }

  /**
   * Whether the fields of an object match all terms. O(terms).
   *
   * @param fields values by path, or a function that returns the value of a path
   */
  matches(fields: FieldValues | ((field: string) => string | undefined)): boolean {
    if (this.#terms === undefined) return false;
    const valueOf =
      typeof fields === "function" ? fields : (field: string) => ownField(fields, field);
    return this.#terms.every((term) =>
      term instanceof FieldSelector ? term.matches(valueOf) : holds(term, valueOf(term.field)),
    );
  }

  /**
   * Returns the value that a term requires for a field, if any.
   *
   * @param field path of the field, such as `metadata.name`
   */
  requiresExactMatch(field: string): string | undefined {
    return this.requirements.find((term) => term.field === field && term.operator === "=")?.value;
  }

  /** Returns the selector as a string. Parsing it returns a selector with the same terms. */
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

function ownField(fields: FieldValues, field: string): string | undefined {
  return Object.hasOwn(fields, field) ? fields[field] : undefined;
}
