import { isRecord } from "@listwatch/core-fifo/base";
import { readYaml, type ReadYamlOptions } from "@listwatch/fake-apiserver/yaml";

/**
 * Parses the YAML of a kubeconfig as kubectl does: only the first document counts, and the last of
 * equal keys wins. A number stays as it is written where a string is expected, which kubectl
 * refuses. Extensions of clusters, which exec plugins receive, have numbers.
 */
export function parseKubeconfig(text: string): unknown {
  const document = firstDocument(text, { numbersAsText: true });
  if (text.includes("extensions")) takeExtensions(firstDocument(text), document);
  return document;
}

function firstDocument(text: string, options?: ReadYamlOptions): unknown {
  for (const document of readYaml(text, options)) return document;
  return undefined;
}

function takeExtensions(from: unknown, to: unknown): void {
  const sources = clustersOf(from);
  clustersOf(to).forEach((cluster, index) => {
    const source = sources[index];
    if (isRecord(cluster) && isRecord(source) && "extensions" in source) {
      cluster["extensions"] = source["extensions"];
    }
  });
}

function clustersOf(document: unknown): readonly unknown[] {
  const { clusters }: Readonly<Record<string, unknown>> = isRecord(document) ? document : {};
  if (!Array.isArray(clusters)) return [];
  return clusters.map((entry: unknown) => (isRecord(entry) ? entry["cluster"] : undefined));
}
