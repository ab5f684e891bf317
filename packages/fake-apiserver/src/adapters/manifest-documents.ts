import { readBlockYaml } from "../input/block-yaml.ts";
import { type ItemOffsets, yamlValue } from "../input/decode-yaml.ts";
import { MalformedBodyError } from "../input/errors.ts";
import { readJsonValues } from "../input/json-values.ts";
import { faultOf, parseYaml } from "../input/parse-yaml.ts";

/** A document of a file that is not empty. */
export interface ManifestDocument {
  /** Where it begins, or where its fault is. */
  readonly offset: number;
  readonly value: unknown;
  /** Offsets of the items of lists. */
  readonly items: ItemOffsets;
  /** Why it cannot be used. */
  readonly error?: string | undefined;
}

/** Reads the documents of a file in YAML, or in JSON with one or several values. */
export function readDocuments(text: string): readonly ManifestDocument[] {
  const manifests = withoutLogs(text);
  const values = readJsonValues(manifests);
  if (values !== undefined) return values;
  const documents: ManifestDocument[] = [];
  for (const { end, start } of documentsOf(manifests)) {
    documents.push(...readYaml(manifests, start, end));
  }
  return documents;
}

// `kubectl cluster-info dump` prints logs between the lists. Their lines stay, so that those behind
// them keep their numbers.
function withoutLogs(text: string): string {
  if (!text.includes("==== START logs for container ")) return text;
  return text.replaceAll(
    /^==== START logs for container [\s\S]*?==== END logs for container .*$/gm,
    (logs) => logs.replaceAll(/[^\n]/g, " "),
  );
}

interface Range {
  readonly start: number;
  readonly end: number;
}

// As kubectl does it, so that a fault in one document leaves the others readable:
// k8s.io/apimachinery pkg/util/yaml/decoder.go, `YAMLReader`.
function documentsOf(text: string): readonly Range[] {
  // A directive belongs to the document behind its separator.
  if (/^%/m.test(text)) return [{ start: 0, end: text.length }];
  const ranges: Range[] = [];
  let start = 0;
  for (const { 0: line, index } of text.matchAll(/^---[^\S\n]*(?:#.*)?$/gm)) {
    ranges.push({ start, end: index });
    start = index + line.length;
  }
  return [...ranges, { start, end: text.length }];
}

function* readYaml(text: string, start: number, end: number): Generator<ManifestDocument> {
  const whole = text.slice(start, end);
  const block = readBlockYaml(whole);
  if (block !== undefined) {
    const items = shifted(block.items, start);
    const first = /^[^\S\n]*[^\s#]/m.exec(whole);
    const offset = start + (first === null ? 0 : first.index + first[0].length - 1);
    if (block.value !== null) yield { offset, value: block.value, items };
    return;
  }
  for (const document of parseYaml(whole, { takesJson: true })) {
    const offset = start + (document.contents?.range?.[0] ?? document.range[0]);
    const fault = faultOf(document);
    if (fault !== undefined) {
      yield { offset: start + fault.offset, value: null, items: new Map(), error: fault.message };
      return;
    }
    const found = valueOf(document, start, whole);
    // Empty documents are usual: a file that ends with "---", a comment before the first one.
    if (found.error !== undefined || found.value !== null) yield { offset, ...found };
  }
}

function valueOf(
  document: Parameters<typeof yamlValue>[0],
  start: number,
  text: string,
): Omit<ManifestDocument, "offset"> & { readonly offset?: number } {
  try {
    const { duplicates, items, value } = yamlValue(document, { text });
    const [duplicate] = duplicates;
    if (duplicate === undefined) return { value, items: shifted(items, start) };
    const error = `The key ${JSON.stringify(duplicate.key)} is already set in its mapping`;
    return { value: null, items: new Map(), error, offset: start + duplicate.offset };
  } catch (error) {
    if (!(error instanceof MalformedBodyError)) throw error;
    return { value: null, items: new Map(), error: error.message };
  }
}

function shifted(items: ItemOffsets, start: number): ItemOffsets {
  return new Map(
    Array.from(items, ([list, offsets]) => [list, offsets.map((offset) => start + offset)]),
  );
}
