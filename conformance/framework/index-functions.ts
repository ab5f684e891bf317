import { ListwatchError } from "@listwatch/core-fifo";
import { metadataOf } from "@listwatch/core-fifo/base";
import { namespaceIndex, type IndexFunction } from "@listwatch/store-indexer";
import { isRecord } from "./values.ts";

/** Index functions by name, all with string values. */
export type IndexFunctions = Readonly<Record<string, IndexFunction<unknown, string>>>;

/** Error code of an index function that must fail. */
export const indexFunctionFailed = "RECORDED_INDEX_FUNCTION_FAILED";

/** Returns the index functions in the options of a case: index name → spec. */
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

/** Returns an own member; "constructor" and the like are inherited. */
function member(
  texts: Readonly<Record<string, string>> | undefined,
  name: string,
): string | undefined {
  return texts !== undefined && Object.hasOwn(texts, name) ? texts[name] : undefined;
}
