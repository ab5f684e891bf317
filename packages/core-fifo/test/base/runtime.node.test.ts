import { expect, onTestFinished, test, vi } from "vitest";

test("an import on an old runtime names the supported ones", async () => {
  const own = Object.getOwnPropertyDescriptor(Promise, "withResolvers")!;
  onTestFinished(() => void Object.defineProperty(Promise, "withResolvers", own));
  vi.resetModules();
  Reflect.deleteProperty(Promise, "withResolvers");
  const importing = import("@listwatch/core-fifo").catch((error: unknown) => String(error));
  expect(await importing).toMatch(/expected Node 22, Deno 2, Bun 1\.2, .* got a runtime without/);
});
