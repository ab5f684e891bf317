import type { FetchHandler, Listener, ListenOptions } from "@listwatch/fake-apiserver/node";

export const runtime = "Deno" in globalThis ? "deno" : "Bun" in globalThis ? "bun" : "node";

/** Listens with the adapter of the current runtime. */
export async function listenHere(server: FetchHandler, options?: ListenOptions): Promise<Listener> {
  const adapters = {
    deno: () => import("@listwatch/fake-apiserver/deno"),
    bun: () => import("@listwatch/fake-apiserver/bun"),
    node: () => import("@listwatch/fake-apiserver/node"),
  };
  const adapter = await adapters[runtime]();
  return adapter.listen(server, options);
}
