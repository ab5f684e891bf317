import type { PemSource } from "./cluster-config.ts";
import type { KubeconfigEntry } from "./kubeconfig-entry.ts";

/** Reads a member with a path and its variant with base64 data, which takes precedence. */
export function pemOf(entry: KubeconfigEntry, name: string): PemSource | undefined {
  const data = entry.text(`${name}-data`);
  if (data === undefined) {
    const file = entry.path(name);
    return file === undefined ? undefined : { file };
  }
  try {
    return { text: atob(data.replaceAll(/\s/g, "")) };
  } catch {
    throw entry.fail(`expected ${name}-data to be base64`);
  }
}
