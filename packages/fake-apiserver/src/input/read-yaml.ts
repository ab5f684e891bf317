import { LineCounter } from "yaml";
import { yamlValue } from "./decode-yaml.ts";
import { MalformedBodyError } from "./errors.ts";
import { checkCharacters, faultOf, parseYaml } from "./parse-yaml.ts";

/** Options of {@link readYaml}. */
export interface ReadYamlOptions {
  /** Whether numbers stay as they are written. @default false */
  readonly numbersAsText?: boolean | undefined;
}

/**
 * Reads the documents of YAML or JSON one after the other, as kubectl does: version 1.1, where
 * `yes` is a boolean, `<<` merges and the last of equal keys wins. Takes time in proportion to the
 * length of the text. What follows a document is not looked at before it is asked for.
 *
 * @throws {SyntaxError} with `linePos`, the place of the fault, and its `code`
 */
export function* readYaml(text: string, options: ReadYamlOptions = {}): Generator<unknown, void> {
  const lines = new LineCounter();
  const faultAt = (offset: number, message: string, code: string): SyntaxError => {
    const place = lines.linePos(offset);
    const shown = `line ${place.line}, column ${place.col}: ${message}`;
    return Object.assign(new SyntaxError(shown), { code, linePos: [place] });
  };
  for (const document of parseYaml(text, { lineCounter: lines, takesJson: true })) {
    const fault = faultOf(document);
    if (fault !== undefined) throw faultAt(fault.offset, fault.message, fault.code);
    let value: unknown;
    try {
      checkCharacters(text.slice(document.range[0], document.range[2]));
      ({ value } = yamlValue(document, { ...options, text }));
    } catch (error) {
      if (!(error instanceof MalformedBodyError)) throw error;
      throw faultAt(document.range[0], error.message, "BAD_VALUE");
    }
    yield value;
  }
}
