/**
 * Throws on a runtime that is too old. `Promise.withResolvers` marks the supported ones: Node 22,
 * Chrome 119, Firefox 121 and Safari 17.4 have it (compatibility data of MDN).
 */
export function checkRuntime(): void {
  if ("withResolvers" in Promise) return;
  throw new Error(
    "Cannot load listwatch: expected Node 22, Deno 2, Bun 1.2, a browser of 2024, or newer, " +
      "got a runtime without Promise.withResolvers",
  );
}
