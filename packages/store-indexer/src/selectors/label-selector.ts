import { parseRequirements } from "./label-parser.ts";
import { LabelRequirement, validationTable } from "./label-requirement.ts";
import type { Labels } from "./label-test.ts";
import { checkOptions } from "@listwatch/core-fifo/base";

/** Options of {@link LabelSelector.fromSet}. */
export interface FromSetOptions {
  /** Whether keys and values must be valid labels. @default true */
  readonly validate?: boolean | undefined;
}

/**
 * Selects objects by their labels. All requirements must match. Immutable.
 *
 * ```ts
 * import { LabelSelector } from "@listwatch/store-indexer";
 *
 * const selector = LabelSelector.parse("app in (web, api), tier!=test, !canary");
 * if (!selector.matches({ app: "web" })) throw new Error("Expected a match");
 * if (selector.toString() !== "app in (api,web),!canary,tier!=test")
 *   throw new Error("Unexpected text");
 * ```
 */
export class LabelSelector {
  /** Matches every object. Its string is empty. */
  static readonly everything: LabelSelector = /* @__PURE__ */ new LabelSelector([]);
  /** Matches no object, even with more requirements. It has no string. */
  static readonly nothing: LabelSelector = /* @__PURE__ */ new LabelSelector(undefined);

  readonly #requirements: readonly LabelRequirement[] | undefined;

  private constructor(requirements: readonly LabelRequirement[] | undefined) {
    this.#requirements = requirements?.toSorted(byKey);
  }

  /**
   * Parses a selector as `kubectl -l` and the API server do.
   *
   * @throws {InvalidSelectorError} with the position of the first error
   */
  static parse(text: string): LabelSelector {
    return LabelSelector.#of(
      parseRequirements(text, (...requirement) => new LabelRequirement(...requirement)),
    );
  }

  /** Creates a selector from requirements. */
  static of(...requirements: readonly LabelRequirement[]): LabelSelector {
    return LabelSelector.#of(requirements);
  }

  /** Not with arguments, whose number a runtime limits. */
  static #of(requirements: readonly LabelRequirement[]): LabelSelector {
    return requirements.length === 0 ? LabelSelector.everything : new LabelSelector(requirements);
  }

  /**
   * Creates a selector for objects that have all given labels.
   *
   * @throws {InvalidRequirementError} if a label is not valid
   */
  static fromSet(labels: Labels, options: FromSetOptions = {}): LabelSelector {
    checkOptions(options, validationTable);
    return LabelSelector.#of(
      Object.entries(labels).map(
        ([key, value]) => new LabelRequirement(key, "=", [value], options),
      ),
    );
  }

  /** Whether it has no requirement and matches every object. */
  get isEmpty(): boolean {
    return this.#requirements?.length === 0;
  }

  /** `false` for {@link LabelSelector.nothing} only. Contradictory requirements are not detected. */
  get isSelectable(): boolean {
    return this.#requirements !== undefined;
  }

  /** Terms of the selector, sorted by key. */
  get requirements(): readonly LabelRequirement[] {
    return this.#requirements ?? [];
  }

  /** Whether labels match all requirements. Missing labels count as empty. O(requirements). */
  matches(labels: Labels | undefined): boolean {
    const requirements = this.#requirements;
    if (requirements === undefined) return false;
    for (const requirement of requirements) {
      if (!requirement.matches(labels)) return false;
    }
    return true;
  }

  /** Returns a selector with additional requirements. */
  with(...requirements: readonly LabelRequirement[]): LabelSelector {
    if (this.#requirements === undefined) return this;
    return LabelSelector.#of([...this.#requirements, ...requirements]);
  }

  /** The only value the first requirement on this label allows, if there is exactly one. */
  requiresExactMatch(key: string): string | undefined {
    const requirement = this.requirements.find((candidate) => candidate.key === key);
    if (requirement?.values.length !== 1) return undefined;
    const { operator, values } = requirement;
    return operator === "=" || operator === "==" || operator === "in" ? values[0] : undefined;
  }

  /**
   * Returns the canonical string: requirements sorted by key, values sorted. Parsing it returns an
   * equal selector.
   */
  toString(): string {
    return this.requirements.join(",");
  }
}

function byKey(left: LabelRequirement, right: LabelRequirement): number {
  if (left.key === right.key) return 0;
  return left.key < right.key ? -1 : 1;
}
