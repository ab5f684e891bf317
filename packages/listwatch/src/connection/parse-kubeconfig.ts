import { readYaml } from "@listwatch/fake-apiserver/yaml";

/**
 * Parses the YAML of a kubeconfig as kubectl does: only the first document counts, and the last of
 * equal keys wins. Numbers stay as they are written; no member of a kubeconfig is a number, and
 * kubectl refuses them where it expects a string.
 */
export function parseKubeconfig(text: string): unknown {
  for (const document of readYaml(text, { numbersAsText: true })) return document;
  return undefined;
}
