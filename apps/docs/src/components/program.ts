import { originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";
import { transform } from "sucrase";

/** The name of the program in stacks of errors. */
const fileName = "program.ts";
// `AsyncFunction(...)` puts a line with the parameters and one with the brace before the code.
const linesBefore = 2;

// Taken before a worker is confined, which takes it from programs.
const AsyncFunction = (async () => {}).constructor as FunctionConstructor;

type Load = (name: string) => unknown;

/** A program of a page, compiled: its types removed, its imports calls of a function. */
export class Program {
  readonly #code: string;
  readonly #map: TraceMap;

  /** @throws {SyntaxError} with the position, if the source is not TypeScript */
  constructor(source: string) {
    try {
      const { code, sourceMap } = transform(source, {
        transforms: ["typescript", "imports"],
        disableESTransforms: true,
        filePath: fileName,
        sourceMapOptions: { compiledFilename: "program.js" },
      });
      this.#code = code;
      this.#map = new TraceMap({ ...sourceMap, version: 3 } as ConstructorParameters<
        typeof TraceMap
      >[0]);
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      const [, what = text, line, column] =
        /^(?:Error transforming [^:]*: )?(.*) \((\d+):(\d+)\)$/s.exec(text) ?? [];
      throw new SyntaxError(line === undefined ? what : `${what} ${placeText(line, column)}`);
    }
  }

  /** Runs the program as an ES module would run, `await` allowed. */
  async run(load: Load): Promise<void> {
    let main: (...args: unknown[]) => Promise<void>;
    try {
      const code = `${this.#code}\n//# sourceURL=${fileName}`;
      main = AsyncFunction("require", "exports", code) as typeof main;
    } catch (error) {
      throw await this.#withPlace(error);
    }
    await main(load, {});
  }

  /** Where in the program an error was thrown, as text; `""` if nothing tells. */
  placeOf(error: unknown): string {
    if (!(error instanceof Error)) return "";
    const [, line, column] = new RegExp(`${fileName}:(\\d+):(\\d+)`).exec(error.stack ?? "") ?? [];
    return line === undefined ? "" : this.#place(Number(line) - linesBefore, Number(column) - 1);
  }

  // Engines do not tell where a function's text is wrong; a parser does.
  async #withPlace(error: unknown): Promise<unknown> {
    const { parse } = await import("acorn");
    const options = { ecmaVersion: "latest", allowAwaitOutsideFunction: true } as const;
    try {
      parse(this.#code, { ...options, allowReturnOutsideFunction: true });
    } catch (found) {
      if (!(found instanceof SyntaxError) || !("loc" in found)) return error;
      const { line, column } = found.loc as { readonly line: number; readonly column: number };
      return new SyntaxError(
        `${found.message.replace(/ \(\d+:\d+\)$/, "")} ${this.#place(line, column)}`,
      );
    }
    return error;
  }

  #place(line: number, column: number): string {
    const found = originalPositionFor(this.#map, { line, column });
    return placeText(found.line ?? line, (found.column ?? column) + 1);
  }
}

function placeText(line: number | string, column: number | string | undefined): string {
  return `at line ${line}, column ${column}`;
}
