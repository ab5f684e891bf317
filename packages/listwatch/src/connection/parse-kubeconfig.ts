import { parse } from "yaml";

const numberTags = ["tag:yaml.org,2002:int", "tag:yaml.org,2002:float"];

/**
 * Parses the YAML of a kubeconfig. Numbers become strings, as kubectl reads them wherever it
 * expects a string; no member of a kubeconfig is a number. `<<` merges, as for kubectl.
 */
export function parseKubeconfig(text: string): unknown {
  return parse(text, {
    logLevel: "error",
    merge: true,
    customTags: (tags) =>
      tags.filter((tag) => typeof tag === "string" || !numberTags.includes(tag.tag)),
  });
}
