import type { Structure } from "../structure/structure.ts";

/**
 * The use of a structure by one decoder, which gives it back at the end of the text, or with the
 * first failure. A decoder that has failed stays failed: what is left of it reads no other text.
 */
export class StructureUse {
  readonly #structure: Structure;
  #failure: { readonly error: unknown } | undefined;

  constructor(structure: Structure) {
    this.#structure = structure;
  }

  /** @throws what the step throws, or what an earlier one has thrown */
  step(run: () => void): void {
    if (this.#failure !== undefined) throw this.#failure.error;
    try {
      run();
    } catch (error) {
      this.#failure = { error };
      this.#structure.release();
      throw error;
    }
  }

  /** @throws as {@link StructureUse.step} */
  end(run: () => void): void {
    this.step(run);
    this.#structure.release();
  }
}
