import {
  Composer,
  type CST,
  type Document,
  type DocumentOptions,
  isCollection,
  isScalar,
  Lexer,
  type LineCounter,
  Parser,
  type ParseOptions,
  type Scalar,
  type SchemaOptions,
  type YAMLError,
} from "yaml";
import { MalformedBodyError } from "./errors.ts";
import { LexemeRules } from "./yaml-lexemes.ts";

/** How the server reads YAML: version 1.1, without its exotic types. */
const yamlOptions: ParseOptions & DocumentOptions & SchemaOptions = {
  // Kubernetes reads YAML 1.1 (yes and no are booleans, 0777 is octal).
  version: "1.1",
  schema: "yaml-1.1",
  prettyErrors: false,
  logLevel: "silent",
  // The parser would compare each key with all others of its mapping; see yamlValue.
  uniqueKeys: false,
  // Timestamps, sets and base 60 numbers stay strings, as in the server's decoder; binaries are
  // decoded later.
  customTags: (tags) =>
    tags.filter((tag) => {
      if (typeof tag === "string") return tag !== "timestamp" && tag !== "set" && tag !== "omap";
      return (
        !["tag:yaml.org,2002:timestamp", "tag:yaml.org,2002:binary"].includes(tag.tag) &&
        tag.format !== "TIME"
      );
    }),
};

/** Options of {@link parseYaml}. */
export interface ParseYamlOptions {
  /** Receives the lines of the text. */
  readonly lineCounter?: LineCounter | undefined;
  /** Whether escapes of JSON are read too: kubectl reads files in JSON without YAML. @default false */
  readonly takesJson?: boolean | undefined;
}

/** Parses the documents of a YAML text one after the other. */
export function* parseYaml(
  text: string,
  options: ParseYamlOptions = {},
): Generator<Document.Parsed, void, undefined> {
  yield* new Composer(yamlOptions).compose(tokensOf(text, options));
}

function* tokensOf(
  text: string,
  { lineCounter, takesJson = false }: ParseYamlOptions,
): Generator<CST.Token> {
  lineCounter?.addNewLine(0);
  const parser = new Parser(lineCounter?.addNewLine);
  // A carriage return alone ends a line.
  const lines = text.replaceAll(/\r(?!\n)/g, "\n");
  const rules = new LexemeRules({ takesEscapes: takesJson && /^\s*\{/.test(text) });
  // The fault counts for the document that follows, which ends after it.
  for (const source of createLexer().lex(lines)) {
    const { fault, lexemes } = rules.read(source);
    if (fault !== undefined) yield { type: "error", source, ...fault };
    for (const lexeme of lexemes) yield* parser.next(lexeme);
  }
  yield* parser.end();
}

/**
 * Returns a lexer that asks for no indentation within brackets and quotes, like that of Go. That of
 * the library ends them at a line that is not further indented than their key.
 */
function createLexer(): Lexer {
  const lexer = new Lexer();
  let indentNext = 0;
  let isQuoted = false;
  Object.defineProperty(lexer, "indentNext", {
    get: () => (isQuoted || Number(Reflect.get(lexer, "flowLevel")) > 0 ? 0 : indentNext),
    set(value: number) {
      indentNext = value;
    },
  });
  const method = "parseQuotedScalar";
  // A method of the library that its types call private.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const parseQuoted = Reflect.get(lexer, method) as (this: Lexer) => Generator<string, unknown>;
  Reflect.set(lexer, method, function* (): Generator<string, unknown> {
    isQuoted = true;
    try {
      return yield* parseQuoted.call(lexer);
    } finally {
      isQuoted = false;
    }
  });
  return lexer;
}

/** Why Go refuses a document, and where. */
export interface YamlFault {
  readonly offset: number;
  readonly message: string;
  readonly code: string;
}

/** Returns the first fault of a document; `undefined` if Go reads it. */
export function faultOf(document: Document.Parsed): YamlFault | undefined {
  const { directives, errors, warnings } = document;
  const unknown = warnings.find(({ message }) => /directive|version/.test(message));
  if (unknown !== undefined || directives.yaml.explicit === true) {
    const message =
      unknown?.message.startsWith("Unknown") === true
        ? "found unknown directive name"
        : "found incompatible YAML document";
    if (unknown !== undefined || directives.yaml.version !== "1.1") {
      return { offset: document.range[0], message, code: "BAD_DIRECTIVE" };
    }
  }
  const fault = errors.find((error) => isFault(document, error));
  if (fault === undefined) return undefined;
  const isTab = /^found .*(?:tab character|any token)/.test(fault.message);
  const code = isTab ? "TAB_AS_INDENT" : fault.code;
  return { offset: fault.pos[0], message: fault.message, code };
}

function isFault(document: Document.Parsed, { code, message, pos }: YAMLError): boolean {
  // Go takes a comment that follows a bracket or a quote without a space.
  if (message.startsWith("Comments must be separated from other tokens")) return false;
  // Go does not look at what follows the last bracket or quote of a document.
  const { contents, range } = document;
  // A fault between the lexemes of the next document, which may be found before this one ends.
  if (pos[0] > range[2]) return false;
  const isClosed = isCollection(contents)
    ? contents.flow
    : isScalar(contents) && hasQuotes(contents);
  return isClosed !== true || code !== "UNEXPECTED_TOKEN" || pos[0] < (contents?.range[1] ?? 0);
}

function hasQuotes({ type }: Scalar): boolean {
  return type === "QUOTE_DOUBLE" || type === "QUOTE_SINGLE";
}

/** Characters of YAML 1.1: no controls, no halves of pairs. */
const unprintable = /[^\t\n\r -~\u0085\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/** @throws {MalformedBodyError} if the text has characters that YAML does not allow */
export function checkCharacters(text: string): void {
  if (!unprintable.test(text)) return;
  throw new MalformedBodyError("yaml: control characters are not allowed");
}
