/** Each runtime of a CI run has a share of the schedules. No seed runs twice. */
const shares = { node: [0, 0.5], deno: [0.5, 0.7], bun: [0.7, 0.9], browser: [0.9, 1] } as const;

/** Returns the current runtime's seeds, out of `total`. */
export function seedsOf(total: number): readonly number[] {
  const [from, to] = shares[runtime()];
  const all = Array.from({ length: total }, (_, index) => index + 1);
  return all.slice(Math.round(from * total), Math.round(to * total));
}

function runtime(): keyof typeof shares {
  if ("Deno" in globalThis) return "deno";
  if ("Bun" in globalThis) return "bun";
  return "document" in globalThis ? "browser" : "node";
}
