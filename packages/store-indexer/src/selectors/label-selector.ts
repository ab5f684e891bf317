import { parseRequirements } from "./label-parser.ts";
import { type Labels, LabelRequirement } from "./label-requirement.ts";

/** Options of {@link LabelSelector.fromSet}. */
export interface FromSetOptions {
  /** Whether keys and values must obey the rules for labels. @default true */
  readonly validate?: boolean | undefined;
}

/**
 * Chooses objects by their labels: all requirements must be fulfilled. Immutable.
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
  /** Matches every object; its text is empty. */
  static readonly everything: LabelSelector = new LabelSelector([]);
  /** Matches no object, whatever is added to it; it has no text. */
  static readonly nothing: LabelSelector = new LabelSelector(undefined);

  readonly #requirements: readonly LabelRequirement[] | undefined;

  private constructor(requirements: readonly LabelRequirement[] | undefined) {
    this.#requirements = requirements?.toSorted(byKey);
  }

  /**
   * Parses a selector as `kubectl -l` and the API server take it.
   *
   * @throws {InvalidSelectorError} with the position of the first mistake
   */
  static parse(text: string): LabelSelector {
    return LabelSelector.of(...parseRequirements(text));
  }

  /** The selector of some requirements. */
  static of(...requirements: readonly LabelRequirement[]): LabelSelector {
    return requirements.length === 0 ? LabelSelector.everything : new LabelSelector(requirements);
  }

  /**
   * The selector of objects that have all of the given labels.
   *
   * @throws {InvalidRequirementError} if a label breaks the rules for labels
   */
  static fromSet(labels: Labels, options: FromSetOptions = {}): LabelSelector {
    return LabelSelector.of(
      ...Object.entries(labels).map(
        ([key, value]) => new LabelRequirement(key, "=", [value], options),
      ),
    );
  }

  /** Whether it matches everything, by having no requirement. */
  get isEmpty(): boolean {
    return this.#requirements?.length === 0;
  }

  /**
   * False for {@link LabelSelector.nothing} only; requirements that contradict each other are not
   * noticed.
   */
  get isSelectable(): boolean {
    return this.#requirements !== undefined;
  }

  /** Ascending by key. */
  get requirements(): readonly LabelRequirement[] {
    return this.#requirements ?? [];
  }

  /** Whether labels fulfil all requirements. No labels count as empty ones. O(requirements). */
  matches(labels: Labels | undefined): boolean {
    const requirements = this.#requirements;
    if (requirements === undefined) return false;
    for (const requirement of requirements) {
      if (!requirement.matches(labels)) return false;
    }
    return true;
  }

  /** This selector and some more requirements. */
  with(...requirements: readonly LabelRequirement[]): LabelSelector {
    if (this.#requirements === undefined) return this;
    return LabelSelector.of(...this.#requirements, ...requirements);
  }

  /** The one value that the first requirement for a label leaves it, if it leaves one. */
  requiresExactMatch(key: string): string | undefined {
    const requirement = this.requirements.find((candidate) => candidate.key === key);
    if (requirement?.values.length !== 1) return undefined;
    const { operator, values } = requirement;
    return operator === "=" || operator === "==" || operator === "in" ? values[0] : undefined;
  }

  /**
   * The canonical text: requirements ascending by key, values sorted. Parsing it gives an equal
   * selector.
   */
  toString(): string {
    return this.requirements.join(",");
  }
}

function byKey(left: LabelRequirement, right: LabelRequirement): number {
  if (left.key === right.key) return 0;
  return left.key < right.key ? -1 : 1;
}
