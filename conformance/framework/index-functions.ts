import { ListwatchError } from "@listwatch/core-fifo";
import { metadataOf } from "@listwatch/core-fifo/base";
import { namespaceIndex, type IndexFunction } from "@listwatch/store-indexer";
import { isRecord } from "./values.ts";

/** Index functions by name, all with text values. */
export type IndexFunctions = Readonly<Record<string, IndexFunction<unknown, string>>>;

/** The code of what an index function throws that was told to fail. */
export const indexFunctionFailed = "RECORDED_INDEX_FUNCTION_FAILED";

/** The index functions that a case names in its options: index name → spec. */
export function indexFunctions(specs: unknown): IndexFunctions {
  if (!isRecord(specs)) return {};
  return Object.fromEntries(
    Object.entries(specs).map(([name, spec]) => [name, indexFunction(String(spec))]),
  );
}

function indexFunction(spec: string): IndexFunction<unknown, string> {
  const [kind = "", key = ""] = spec.split(":");
  switch (kind) {
    case "namespace":
      return namespaceIndex.namespace;
    case "label":
      return (object) => member(metadataOf(object)?.labels, key);
    case "csv":
      return (object) => member(metadataOf(object)?.annotations, key)?.split(",");
    case "failOn":
      return (object) => {
        if (member(metadataOf(object)?.annotations, key) === undefined) return "ok";
        throw new ListwatchError(indexFunctionFailed, "Couldn't index the object: told to fail");
      };
    default:
      throw new TypeError(`Couldn't find the index function ${JSON.stringify(spec)}`);
  }
}

/** What is there itself; "constructor" and the like are inherited. */
function member(
  texts: Readonly<Record<string, string>> | undefined,
  name: string,
): string | undefined {
  return texts !== undefined && Object.hasOwn(texts, name) ? texts[name] : undefined;
}
