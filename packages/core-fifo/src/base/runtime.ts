/**
 * Throws where the runtime is older than those that the packages support. Their sign is
 * `Promise.withResolvers`, which Node has since 22, Chrome since 119, Firefox since 121 and Safari
 * since 17.4 (compatibility data of MDN).
 */
export function checkRuntime(): void {
  if ("withResolvers" in Promise) return;
  throw new Error(
    "Cannot load listwatch: expected Node 22, Deno 2, Bun 1.2, a browser of 2024, or newer, " +
      "got a runtime without Promise.withResolvers",
  );
}
