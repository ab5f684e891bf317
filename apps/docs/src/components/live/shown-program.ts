/** The packages that the programs of the site import from, as the reader chose. */
type Packages = "listwatch" | "layers";

/** Origin of a program that differs from the page's. */
export type Origin = "reader" | "link";

/**
 * The program that an example shows: the one of the page, in the chosen form, or a changed one. The
 * reader's changes survive a reload, as long as the tab is open.
 */
export class ShownProgram {
  readonly #forms: Readonly<Record<Packages, string>>;
  readonly #storageKey: string;
  #changed: { readonly code: string; readonly origin: Origin } | undefined;

  constructor(example: string, forms: Readonly<Record<Packages, string>>) {
    this.#forms = forms;
    this.#storageKey = `listwatch-program:${example}`;
    const code = this.#withStorage((storage) => storage.getItem(this.#storageKey)) ?? null;
    if (code !== null) this.#changed = { code, origin: "reader" };
  }

  get code(): string {
    return this.#changed?.code ?? this.#forms[chosenPackages()];
  }

  /** Undefined for the program of the page. */
  get origin(): Origin | undefined {
    return this.#changed?.origin;
  }

  /** Takes a program that came with a link. It is not stored before the reader changes it. */
  receive(code: string): void {
    this.#changed = { code, origin: "link" };
  }

  /** Takes what the reader has written. */
  change(code: string): void {
    if (code === this.code) return;
    if (code === this.#forms[chosenPackages()]) {
      this.reset();
      return;
    }
    this.#changed = { code, origin: "reader" };
    this.#withStorage((storage) => {
      storage.setItem(this.#storageKey, code);
    });
  }

  /** Imports from the chosen packages, also in a changed program. */
  async switchPackages(): Promise<void> {
    const changed = this.#changed;
    if (changed === undefined) return;
    const [{ allLayers, singleLayers }, { default: layers }] = await Promise.all([
      import("./single-layers.ts"),
      import("virtual:layers"),
    ]);
    const change = chosenPackages() === "layers" ? singleLayers : allLayers;
    const code = change(changed.code, layers);
    if (this.#changed !== changed || code === changed.code) return;
    if (changed.origin === "reader") this.change(code);
    else this.receive(code);
  }

  reset(): void {
    this.#changed = undefined;
    this.#withStorage((storage) => {
      storage.removeItem(this.#storageKey);
    });
  }

  // A browser that refuses storage throws: then changes end with the page.
  #withStorage<T>(use: (storage: Storage) => T): T | undefined {
    try {
      return use(sessionStorage);
    } catch {
      return undefined;
    }
  }
}

/** The choice of `PackageChoice`, which it notes at the root of the page. */
function chosenPackages(): Packages {
  return document.documentElement.dataset["packages"] === "layers" ? "layers" : "listwatch";
}
