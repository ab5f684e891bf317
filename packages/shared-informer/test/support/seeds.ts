/**
 * A CI run goes through all runtimes. Each lives its share of the schedules, most of them Node; no
 * seed is lived twice.
 */
const shares = { node: [0, 0.5], deno: [0.5, 0.7], bun: [0.7, 0.9], browser: [0.9, 1] } as const;

/** The seeds of the present runtime, of so many in all. */
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
