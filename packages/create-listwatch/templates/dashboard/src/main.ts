// The program: serves the page and the stream to the users that a proxy in front has authenticated.
import { readFile } from "node:fs/promises";
import { listen } from "listwatch/fake-apiserver/node";
import { connect } from "listwatch/node";
import { serveCollections } from "./server.ts";

const types: Record<string, string> = { "index.html": "text/html", "page.js": "text/javascript" };

// In development there is no proxy: DEV_USER is everyone.
const server = serveCollections(await connect(), {
  userOf: ({ headers }) => headers.get("x-forwarded-user") ?? process.env["DEV_USER"],
});
await server.synced;

async function fetch(request: Request): Promise<Response> {
  const path = new URL(request.url).pathname.slice(1);
  if (path === "stream") return server.fetch(request);
  const name = path === "" ? "index.html" : path;
  const type = types[name];
  if (type === undefined) return new Response("Not found", { status: 404 });
  const file = await readFile(new URL(`../public/${name}`, import.meta.url));
  return new Response(file, { headers: { "content-type": type } });
}

const port = Number(process.env["PORT"] ?? 8081);
const { url } = await listen({ fetch }, { port, host: process.env["HOST"] ?? "127.0.0.1" });
console.log(`Serving ${url}`);
