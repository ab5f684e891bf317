/** How many random schedules to live: all on Node, a tenth elsewhere, where only the runtime is new. */
export function scheduleCount(onNode: number): number {
  const elsewhere = ["Bun", "Deno", "document"].some((name) => name in globalThis);
  return elsewhere ? Math.ceil(onNode / 10) : onNode;
}
