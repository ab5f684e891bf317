// Many objects are written within a second, and formatting costs as much as validating a name.
let lastTimestamp = { second: Number.NaN, text: "" };

/** Formats a time in RFC 3339 UTC with whole seconds, like `metadata.creationTimestamp`. */
export function timestamp(ms: number): string {
  const second = Math.floor(ms / 1000);
  if (second !== lastTimestamp.second) {
    lastTimestamp = { second, text: `${new Date(ms).toISOString().slice(0, 19)}Z` };
  }
  return lastTimestamp.text;
}
