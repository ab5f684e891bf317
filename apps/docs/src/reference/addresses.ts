import { type DeclarationReflection, type Reflection, ReflectionKind } from "typedoc";
import { builtInUrl } from "./built-ins.ts";
import type { Embedded, Page } from "./pages.ts";

/** Addresses of all symbols and their members. */
export class Addresses {
  readonly #base: string;
  readonly #pages = new Map<Reflection, Page>();
  readonly #embedded: ReadonlyMap<Reflection, Embedded>;
  readonly #byName = new Map<string, Reflection[]>();

  constructor(base: string, pages: readonly Page[], embedded: ReadonlyMap<Reflection, Embedded>) {
    this.#base = base.replace(/\/$/, "");
    this.#embedded = embedded;
    for (const page of pages) {
      for (const symbol of page.symbols) this.#pages.set(symbol, page);
    }
    for (const symbol of [...this.#pages.keys(), ...embedded.keys()]) {
      this.#byName.set(symbol.name, [...(this.#byName.get(symbol.name) ?? []), symbol]);
    }
  }

  ofPage(id: string): string {
    return `${this.#base}/${id}/`;
  }

  /** The address of a symbol or of a member of one, if it is public. */
  of(reflection: Reflection): string | undefined {
    const page = this.#pageOf(reflection);
    if (page?.main === reflection) return this.ofPage(page.id);
    if (page !== undefined) return `${this.ofPage(page.id)}#${this.anchorOf(reflection)}`;
    const { inheritedFrom, parent } = reflection as DeclarationReflection;
    if (parent === undefined) return undefined;
    if (parent.kind === ReflectionKind.Class && inheritedFrom?.reflection !== undefined) {
      return this.of(inheritedFrom.reflection);
    }
    const owner = this.#pageOf(parent);
    return owner && `${this.ofPage(owner.id)}#${this.anchorOf(parent)}.${reflection.name}`;
  }

  /** The `id` of a symbol in its page. */
  anchorOf(symbol: Reflection): string {
    return this.#embedded.get(symbol)?.anchor ?? symbol.name;
  }

  /** Whether a type is described as a variant of a union. */
  isVariant(type: Reflection, union: Reflection): boolean {
    return this.#embedded.get(type)?.owner === union;
  }

  /** The address of a type that a page names: a public symbol, or one of the platform. */
  ofName(name: string, from: Page): string | undefined {
    const symbols = this.#byName.get(name) ?? [];
    const symbol =
      symbols.find((candidate) => from.module.symbols.some((own) => own === candidate)) ??
      symbols[0];
    return symbol === undefined ? builtInUrl(name) : this.of(symbol);
  }

  #pageOf(symbol: Reflection): Page | undefined {
    return this.#pages.get(this.#embedded.get(symbol)?.owner ?? symbol);
  }
}
