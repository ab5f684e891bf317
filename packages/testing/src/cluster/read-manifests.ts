import type { KubernetesObject } from "@listwatch/core-fifo";
import {
  checkOption,
  describeError,
  inRealTime,
  isRecord,
  someStrings,
} from "@listwatch/core-fifo/base";
import { readText } from "./read-lines.ts";

/**
 * Reads the objects of YAML or JSON files, for `definitions` and `objects` of a test. Runs on Node,
 * Deno and Bun. Documents without an object are skipped. For example `testCluster({ definitions:
 * await readManifests("manifests/definition.yaml") })`.
 *
 * @param files paths, relative to the working folder of the process
 * @throws {Error} with the file that cannot be read, and the reason
 */
export async function readManifests(...files: readonly string[]): Promise<KubernetesObject[]> {
  checkOption("files", files, someStrings);
  const { readYaml } = await inRealTime(import("@listwatch/fake-apiserver/yaml"));
  return files.flatMap((file) => {
    try {
      return [...readYaml(readText(file))].filter(isObject);
    } catch (error) {
      throw new Error(`Cannot read ${file}: ${describeError(error)}`, { cause: error });
    }
  });
}

function isObject(value: unknown): value is KubernetesObject {
  return isRecord(value) && typeof value["kind"] === "string";
}
