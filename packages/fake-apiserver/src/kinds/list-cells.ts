import { orNone } from "../base/read-fields.ts";

// k8s.io/kubernetes printers cut off what is behind the third entry of a list.
const mostShown = 3;

/** The entries of a list in one cell; those behind the third one are only counted. */
export function shortened(entries: readonly string[]): string {
  if (entries.length <= mostShown) return orNone(entries.join(","));
  return `${entries.slice(0, mostShown).join(",")} + ${entries.length - mostShown} more...`;
}
