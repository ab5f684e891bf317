import { Collection, createConnection } from "@listwatch/client";
const signal = new AbortController().signal;
const resource = { group: "", version: "v1", resource: "configmaps" };
async function run(what: string, make: (n: number) => string, chunk: number, options: any, watch: boolean) {
  const ts: string[] = []; let out = "";
  for (const n of [250_000, 500_000, 1_000_000]) {
    const bytes = new TextEncoder().encode(make(n));
    let at = 0;
    const fetch = async () => new Response(new ReadableStream({ pull(c) { if (at >= bytes.length) return c.close(); c.enqueue(bytes.subarray(at, at + chunk)); at += chunk; } }), { headers: { "content-type": "application/json" } });
    const col = new Collection({ connection: createConnection({ server: "http://s", fetch }), resource, ...options });
    const t = performance.now(); let items = 0;
    try {
      if (watch) { for await (const b of await col.watch({}, { signal })) { items += b.length; for (const e of b as any[]) { void e.object?.data?.x; void e.object?.metadata?.labels; } } }
      else { const l = await col.list({}, { signal }); for await (const b of l.items) { items += b.length; for (const o of b as any[]) { void o.data?.x; void o.metadata?.labels; } } }
      out = `${items} items`;
    } catch (e: any) { out = `${e.name} ${String(e.message).slice(0, 80)}`; }
    ts.push((performance.now() - t).toFixed(0));
    if (Number(ts.at(-1)) > 20000) break;
  }
  const r = Number(ts[2]) / Number(ts[1]);
  console.log(what.padEnd(44), ts.join(" "), out, Number(ts[2] ?? ts.at(-1)) > 300 && r > 3 || Number(ts.at(-1)) > 8000 ? "<<<<<" : "");
}
const wrap = (item: string) => `{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[${item}]}`;
const meta = '"metadata":{"name":"a","namespace":"b","uid":"u","resourceVersion":"2"}';
const shapes: Record<string, (n: number) => string> = { 
  long: (n) => `{${meta},"data":{"x":"${"y".repeat(n)}"}}`,
  escapes: (n) => `{${meta},"data":{"x":"${"\\\\".repeat(n / 2)}"}}`,
  quotes: (n) => `{${meta},"data":{"x":"${'\\"'.repeat(n / 2)}"}}`,
  deep: (n) => `{${meta},"data":{"x":${"[".repeat(n / 2)}${"]".repeat(n / 2)}}}`,
  deepObj: (n) => `{${meta},"data":${'{"x":'.repeat(n / 6)}1${"}".repeat(n / 6)}}`,
  deepMeta: (n) => `{"metadata":{"name":"a","namespace":"b","labels":${'{"x":'.repeat(n / 6)}1${"}".repeat(n / 6)}}}`,
  keys: (n) => `{${meta},"data":{${Array.from({ length: n / 10 }, (_, i) => `"k${i}":1`).join()}}}`,
  spaces: (n) => `{${meta},${" ".repeat(n)}"data":{}}`,
  topkeys: (n) => `{${meta},${Array.from({ length: n / 10 }, (_, i) => `"k${i}":1`).join()}}`,
  number: (n) => `{${meta},"data":${"1".repeat(n)}}`,
  unclosed: (n) => `{${meta},"data":{"x":"${"y".repeat(n)}`,
  sameKey: (n) => `{${Array.from({ length: n / 20 }, () => `"metadata":{"name":"a"}`).join()}}`,
};
for (const [mode, options] of Object.entries({ lazy: { lazy: true }, fields: { fields: ["metadata.labels", "data.x"] }, meta: { metadataOnly: true } })) for (const [name, f] of Object.entries(shapes)) for (const chunk of [64, 1 << 20]) {
  await run(`list ${mode} ${name} ${chunk}`, (n) => wrap(f(n)), chunk, options, false);
  await run(`watch ${mode} ${name} ${chunk}`, (n) => `{"type":"ADDED","object":${f(n)}}\n`, chunk, options, true);
}
for (const chunk of [64, 1 << 20]) { await run("list junk before", (n) => `{"x":"${"y".repeat(n)}","items":[]}`, chunk, {}, false); await run("list html", (n) => "<".repeat(n), chunk, {}, false); await run("watch newlines", (n) => "\n".repeat(n), chunk, {}, true); await run("watch small", (n) => `{"type":"BOOKMARK","object":{"metadata":{}}}\n`.repeat(n / 44), chunk, {}, true); await run("list many items", (n) => wrap(Array.from({ length: n / 30 }, () => `{"metadata":{"name":"a"}}`).join()), chunk, {}, false); await run("list commas", (n) => wrap(",".repeat(n)), chunk, {}, false); await run("watch type long", (n) => `{"type":"${"X".repeat(n)}","object":{}}\n`, chunk, {}, true); }
