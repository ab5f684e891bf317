// What the views print: nothing in here knows colours.

/** A length of time in at most six characters: `7s`, `3m05s`, `2h04m`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  const pad = (value: number): string => String(value).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m${pad(seconds % 60)}s`;
  return `${Math.floor(minutes / 60)}h${pad(minutes % 60)}m`;
}

/** A length of time in seconds: `1.5 s`, with more digits below one second, `0.004 s`. */
export function formatSeconds(ms: number): string {
  const digits = ms >= 1000 ? 1 : ms >= 100 ? 2 : 3;
  return `${(ms / 1000).toFixed(digits)} s`;
}

/** A number of things: `1 change`, `50,000 changes`. */
export function formatCount(number: number, singular: string): string {
  return `${number.toLocaleString("en")} ${singular}${number === 1 ? "" : "s"}`;
}

/** Removes control characters, which text from a server may contain. */
export function printable(text: string): string {
  return text.replaceAll(/\p{C}+/gu, " ");
}
