/** A step of the proof. */
export interface Step {
  readonly variant: string;
  /** Runtime of the step; "" if it does not depend on one. */
  readonly on: string;
  readonly what: string;
}

interface Row extends Step {
  readonly seconds: number;
  readonly bytes: number | undefined;
  readonly note: string;
  readonly hasFailed: boolean;
}

/** Results of the steps: a line for each at its end, and a table. */
export class Report {
  readonly #rows: Row[] = [];

  /** Runs a step. It returns the bytes of what it made, or a note. */
  async check(
    step: Step,
    run: () => Promise<number | string | void> | number | string | void,
  ): Promise<void> {
    const startMs = performance.now();
    let problem: string | undefined;
    let result: number | string | void = undefined;
    try {
      result = await run();
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
    }
    const seconds = (performance.now() - startMs) / 1000;
    const bytes = typeof result === "number" ? result : undefined;
    const note = typeof result === "string" ? result : "";
    this.#rows.push({ ...step, seconds, bytes, note, hasFailed: problem !== undefined });
    const where = [step.variant, step.on].filter((word) => word !== "").join(", ");
    const state = problem === undefined ? "ok    " : "FAILED";
    console.log(`${state} ${where}: ${step.what}, ${seconds.toFixed(1)} s`);
    if (problem !== undefined) console.log(problem.replaceAll(/^/gm, "       "));
  }

  /** Prints the table and the counts. Returns whether all steps have passed. */
  end(): boolean {
    const cells = this.#rows.map(({ bytes, hasFailed, note, on, seconds, variant, what }) => [
      variant,
      on,
      what,
      `${seconds.toFixed(1)}${hasFailed ? " (failed)" : ""}`,
      bytes === undefined ? "" : bytes.toLocaleString("en"),
      note,
    ]);
    const table = [["variant", "on", "step", "seconds", "bytes", "note"], ...cells];
    const widths = table[0]!.map((_, column) =>
      Math.max(...table.map((row) => row[column]!.length)),
    );
    console.log();
    for (const row of table) {
      console.log(
        row
          .map((cell, column) => cell.padEnd(widths[column]!))
          .join("  ")
          .trimEnd(),
      );
    }
    const failed = this.#rows.filter(({ hasFailed }) => hasFailed).length;
    console.log(`\n${this.#rows.length - failed} passed, ${failed} failed`);
    return failed === 0;
  }
}
