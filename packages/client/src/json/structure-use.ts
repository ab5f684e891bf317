import type { Structure } from "../structure/structure.ts";

/**
 * Use of a structure by one decoder. It is released at the end of the text, or after the first
 * failure. A decoder that has failed stays failed and reads no other text.
 */
export class StructureUse {
  readonly #structure: Structure;
  #failure: { readonly error: unknown } | undefined;

  constructor(structure: Structure) {
    this.#structure = structure;
  }

  /** @throws the error of the step, or of an earlier one */
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

  /** @throws the same errors as {@link StructureUse.step} */
  end(run: () => void): void {
    this.step(run);
    this.#structure.release();
  }
}
