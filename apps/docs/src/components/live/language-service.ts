import ts from "typescript";

/** A name that could stand at the cursor. */
export interface Completion {
  readonly label: string;
  /** Kind of thing, such as `method`. */
  readonly type: string;
  readonly sortText: string;
}

/** Completions, and the start of the word that they replace. */
export interface Completions {
  readonly from: number;
  readonly options: readonly Completion[];
}

/** Type and documentation of a name. */
export interface Description {
  readonly from: number;
  readonly to: number;
  readonly type: string;
  readonly documentation: string;
}

/** An error of a program, as the compiler reports it. */
export interface Problem {
  readonly from: number;
  readonly to: number;
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

const program = "/program.ts";
const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  moduleDetection: ts.ModuleDetectionKind.Force,
  lib: ["lib.es2024.d.ts", "lib.esnext.disposable.d.ts", "lib.webworker.d.ts"],
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noEmit: true,
};

/** Completes, describes and checks one program with TypeScript's language service. */
export class LanguageService {
  readonly #files: Map<string, string>;
  readonly #entries: Readonly<Record<string, string>>;
  readonly #service: ts.LanguageService;
  #code = "";
  #version = 0;

  /**
   * @param files declarations by path, to which more can be added later
   * @param entries the declaration file of each module that can be imported
   */
  constructor(files: Map<string, string>, entries: Readonly<Record<string, string>>) {
    this.#files = files;
    this.#entries = entries;
    this.#service = ts.createLanguageService(this.#host());
  }

  set code(code: string) {
    if (code === this.#code) return;
    this.#code = code;
    this.#version += 1;
  }

  /** The modules that a program names. */
  static modulesOf(code: string): readonly string[] {
    return ts.preProcessFile(code).importedFiles.map(({ fileName }) => fileName);
  }

  complete(at: number): Completions | undefined {
    const found = this.#service.getCompletionsAtPosition(program, at, {
      includeCompletionsWithInsertText: false,
    });
    if (found === undefined) return undefined;
    const before = /[\w$]*$/.exec(this.#code.slice(0, at))?.[0].length ?? 0;
    const from = found.optionalReplacementSpan?.start ?? at - before;
    const completions = found.entries
      .filter(({ kind }) => kind !== ts.ScriptElementKind.warning)
      .map(({ kind, name, sortText }) => ({ label: name, type: kind, sortText }));
    return { from, options: completions };
  }

  /** Describes a completion, or what is at a position. */
  describe(at: number, completion?: string): Description | undefined {
    const found =
      completion === undefined
        ? this.#service.getQuickInfoAtPosition(program, at)
        : this.#service.getCompletionEntryDetails(
            program,
            at,
            completion,
            {},
            undefined,
            {},
            undefined,
          );
    if (found === undefined) return undefined;
    const { start, length } = "textSpan" in found ? found.textSpan : { start: at, length: 0 };
    return {
      from: start,
      to: start + length,
      type: ts.displayPartsToString(found.displayParts),
      documentation: ts.displayPartsToString(found.documentation),
    };
  }

  check(): readonly Problem[] {
    const problems = [
      ...this.#service.getSyntacticDiagnostics(program),
      ...this.#service.getSemanticDiagnostics(program),
    ];
    return problems
      .map(({ length = 0, messageText, start = 0 }) => ({
        from: start,
        to: start + length,
        line: this.#code.slice(0, start).split("\n").length,
        text: ts.flattenDiagnosticMessageText(messageText, "\n"),
      }))
      .toSorted((first, second) => first.from - second.from);
  }

  #host(): ts.LanguageServiceHost {
    const read = (path: string): string | undefined =>
      path === program ? this.#code : this.#files.get(path);
    return {
      getCompilationSettings: () => options,
      getScriptFileNames: () => [program],
      // Declarations that arrive later change how the imports resolve.
      getScriptVersion: (path) => (path === program ? `${this.#version}/${this.#files.size}` : "1"),
      getScriptSnapshot: (path) => {
        const text = read(path);
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
      },
      getCurrentDirectory: () => "/",
      getDefaultLibFileName: () => "/library/lib.es2024.d.ts",
      fileExists: (path) => read(path) !== undefined,
      readFile: read,
      resolveModuleNameLiterals: (literals, from) =>
        literals.map(({ text }) => ({ resolvedModule: this.#resolve(text, from) })),
    };
  }

  #resolve(module: string, from: string): ts.ResolvedModuleFull | undefined {
    const path = module.startsWith(".")
      ? new URL(module, `file://${from}`).pathname.replace(/(?:\.[jt]s)?$/, ".d.ts")
      : Object.hasOwn(this.#entries, module)
        ? this.#entries[module]
        : undefined;
    if (path === undefined || !this.#files.has(path)) return undefined;
    return { resolvedFileName: path, extension: ts.Extension.Dts, isExternalLibraryImport: true };
  }
}
