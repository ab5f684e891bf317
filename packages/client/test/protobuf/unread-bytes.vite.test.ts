import { afterEach, describe, expect, test, vi } from "vitest";
import { delimited, joined } from "./samples.ts";

function configMap(name: string, key: string, value: string): Uint8Array {
  const entry = joined([delimited(1, key), delimited(2, value)]);
  return joined([delimited(1, delimited(1, name)), delimited(2, entry)]);
}

describe("the bytes of an unread member", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });

  test.each([true, false])("are a copy (PBL-6), with Buffer: %s", async (hasBuffer) => {
    if (!hasBuffer) vi.stubGlobal("Buffer", undefined);
    vi.resetModules();
    const samples = await import("./samples.ts");
    const value = "é\u0000ÿ".repeat(30_000);
    const bytes = samples.list("v1/ConfigMap", [configMap("a", "key", value)]);
    const [object] = samples.decodeList(bytes);
    bytes.fill(0xff);
    expect(object).toHaveProperty("data", { key: value });
  });
});
