import { once } from "node:events";
import { existsSync, globSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import sirv from "sirv";

/** The folder of the built site. */
export const dist = new URL("../dist", import.meta.url).pathname;
const base = "/listwatch";

/** The built site while it is served. */
export interface Site {
  readonly origin: string;
  readonly base: string;
  close(): Promise<void>;
}

/** Serves the built site as its host does, under its base path, on a free port. */
export async function serveSite(): Promise<Site> {
  const files = sirv(dist, { etag: false });
  const server = createServer((request, response) => {
    const missing = (): void => {
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
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { origin: `http://127.0.0.1:${port}`, base, close };
}

/** Paths of all pages, as links name them, without the addresses of pages that moved. */
export function pagePaths(): string[] {
  return globSync("**/index.html", { cwd: dist })
    .filter((file) => !readFileSync(join(dist, file), "utf8").includes('http-equiv="refresh"'))
    .map((file) => `${base}/${file.replace(/index\.html$/, "")}`)
    .toSorted();
}

/** Each link of the built pages that leads to no file, or to a fragment that its page does not have. */
export function brokenLinks(): string[] {
  const pages = new Map<string, string>();
  const page = (file: string): string => {
    const html = pages.get(file) ?? readFileSync(join(dist, file), "utf8");
    pages.set(file, html);
    return html;
  };
  const broken = new Set<string>();
  for (const file of globSync("**/*.html", { cwd: dist })) {
    const from = `http://site${base}/${file.replace(/index\.html$/, "")}`;
    for (const [, , href = ""] of page(file).matchAll(/ (href|src)="([^"]*)"/g)) {
      const url = new URL(href.replaceAll("&amp;", "&"), from);
      if (url.host !== "site") continue;
      const problem = problemOf(url, page);
      if (problem !== undefined) broken.add(`${from} → ${href}: ${problem}`);
    }
  }
  return [...broken];
}

function problemOf(url: URL, page: (file: string) => string): string | undefined {
  const path = decodeURIComponent(url.pathname);
  if (path !== base && !path.startsWith(`${base}/`)) return "outside the base path";
  const relative = path.slice(base.length + 1);
  const file = relative === "" || relative.endsWith("/") ? `${relative}index.html` : relative;
  if (!existsSync(join(dist, file))) return "no such file";
  const fragment = decodeURIComponent(url.hash.slice(1));
  if (fragment === "" || !file.endsWith(".html")) return undefined;
  return page(file).includes(`id="${fragment}"`) ? undefined : "no such fragment";
}
