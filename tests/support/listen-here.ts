import type { FakeApiServer } from "@listwatch/fake-apiserver";
import type { Listener } from "@listwatch/fake-apiserver/node";

/** Serves a fake API server on a free port, with the adapter of the current runtime. */
export async function listenHere(server: FakeApiServer): Promise<Listener> {
  const adapter =
    "Deno" in globalThis
      ? await import("@listwatch/fake-apiserver/deno")
      : "Bun" in globalThis
        ? await import("@listwatch/fake-apiserver/bun")
        : await import("@listwatch/fake-apiserver/node");
  return adapter.listen(server);
}
