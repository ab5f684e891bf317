import { existsSync, globSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import sirv from "sirv";

/** The folder of the built site. */
export const dist = new URL("../dist", import.meta.url).pathname;
const base = "/listwatch";

/** Serves the built site as its host does, under its base path, on a free port. */
export async function serveSite() {
  const files = sirv(dist, { etag: false });
  const server = createServer((request, response) => {
    const missing = () => {
      response.statusCode = 404;
      response.end("There is no such page");
    };
    if (request.url?.startsWith(`${base}/`) !== true) {
      missing();
      return;
    }
    request.url = request.url.slice(base.length);
    files(request, response, missing);
  });
  await new Promise((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address();
  const close = () =>
    new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  return { origin: `http://127.0.0.1:${port}`, base, close };
}

/** Paths of all pages, as links name them. */
export function pagePaths() {
  return globSync("**/index.html", { cwd: dist })
    .map((file) => `${base}/${file.replace(/index\.html$/, "")}`)
    .toSorted();
}

/** Each link of the built pages that leads to no file, or to a fragment that its page does not have. */
export function brokenLinks() {
  const pages = new Map();
  const page = (file) => {
    if (!pages.has(file)) pages.set(file, readFileSync(join(dist, file), "utf8"));
    return pages.get(file);
  };
  const broken = new Set();
  for (const file of globSync("**/*.html", { cwd: dist })) {
    const from = `http://site${base}/${file.replace(/index\.html$/, "")}`;
    for (const [, , href] of page(file).matchAll(/ (href|src)="([^"]*)"/g)) {
      const url = new URL(href.replaceAll("&amp;", "&"), from);
      if (url.host !== "site") continue;
      const problem = problemOf(url, page);
      if (problem !== undefined) broken.add(`${from} → ${href}: ${problem}`);
    }
  }
  return [...broken];
}

function problemOf(url, page) {
  const path = decodeURIComponent(url.pathname);
  if (path !== base && !path.startsWith(`${base}/`)) return "outside the base path";
  const relative = path.slice(base.length + 1);
  const file = relative === "" || relative.endsWith("/") ? `${relative}index.html` : relative;
  if (!existsSync(join(dist, file))) return "no such file";
  const fragment = decodeURIComponent(url.hash.slice(1));
  if (fragment === "" || !file.endsWith(".html")) return undefined;
  return page(file).includes(`id="${fragment}"`) ? undefined : "no such fragment";
}
