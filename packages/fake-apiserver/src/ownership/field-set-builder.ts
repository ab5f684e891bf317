import { FieldSet } from "./field-set.ts";
import type { PathElement } from "./path-element.ts";

/** A {@link FieldSet} under construction. */
export class FieldSetBuilder {
  #has = false;
  #children: Map<PathElement, FieldSetBuilder> | undefined;

  /** Adds a path relative to the builder's; without one, the builder's own. */
  add(path: readonly PathElement[] = []): void {
    const [first, ...rest] = path;
    if (first === undefined) this.#has = true;
    else this.at(first).add(rest);
  }

  /** Returns the builder of the paths below an element. */
  at(element: PathElement): FieldSetBuilder {
    this.#children ??= new Map();
    let child = this.#children.get(element);
    if (child === undefined) this.#children.set(element, (child = new FieldSetBuilder()));
    return child;
  }

  build(): FieldSet {
    if (this.#children === undefined) return this.#has ? FieldSet.here : FieldSet.empty;
    const children = new Map<PathElement, FieldSet>();
    for (const [element, builder] of this.#children) {
      const child = builder.build();
      if (!child.isEmpty) children.set(element, child);
    }
    return new FieldSet(this.#has, children);
  }
}
