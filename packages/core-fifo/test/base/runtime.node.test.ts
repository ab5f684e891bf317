import { isDevelopment } from "@listwatch/core-fifo/base";
import { expect, onTestFinished, test, vi } from "vitest";

function importAnew(): Promise<string> {
  vi.resetModules();
  return import("@listwatch/core-fifo").then(() => "imported", String);
}

test("an import on an old runtime names the supported ones", async () => {
  const own = Object.getOwnPropertyDescriptor(Promise, "withResolvers")!;
  onTestFinished(() => void Object.defineProperty(Promise, "withResolvers", own));
  Reflect.deleteProperty(Promise, "withResolvers");
  const message = /expected Node 22\.9, Deno 2, Bun 1\.2, .* got a runtime without/;
  expect(await importAnew()).toMatch(message);
});

test.each([
  [{ node: "22.8.0" }, /expected Node 22\.9, .* got Node 22\.8\.0$/],
  [{ node: "22.9.0" }, /^imported$/],
  [{ node: "24.0.0" }, /^imported$/],
  [{ node: "22.8.0", bun: "1.2.0" }, /^imported$/],
  [{ node: "22.8.0", deno: "2.0.0" }, /^imported$/],
])("an import with the versions %j: %s", async (versions, message) => {
  const { process } = globalThis;
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal("process", Object.create(process, { versions: { value: versions } }));
  expect(await importAnew()).toMatch(message);
});

test.each([
  ["development", true],
  ["test", true],
  ["production", false],
  ["", false],
  [undefined, false],
])("with NODE_ENV %j, isDevelopment returns %j", (mode, expected) => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv("NODE_ENV", mode);
  expect(isDevelopment()).toBe(expected);
});

test("without `process`, as in a page, isDevelopment returns false", () => {
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal("process", undefined);
  expect(isDevelopment()).toBe(false);
});

test("Deno is not asked for a permission", () => {
  onTestFinished(() => {
    vi.unstubAllGlobals();
    vi.unstubAllEnvs();
  });
  vi.stubEnv("NODE_ENV", "test");
  const states = ["prompt", "granted"];
  const querySync = (): object => ({ state: states.shift() });
  // Its `process.env` needs the other members.
  const deno: unknown = Reflect.get(globalThis, "Deno") ?? {};
  vi.stubGlobal("Deno", Object.create(Object(deno), { permissions: { value: { querySync } } }));
  expect([isDevelopment(), isDevelopment()]).toEqual([false, true]);
});
