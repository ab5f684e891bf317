import { createHash } from "node:crypto";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * Gives each built page a content security policy: code from the site alone, and the inline scripts
 * that the page was built with, by their hashes. The worker that runs a program of a page does not
 * inherit the policy, because its file is served with separate headers.
 */
export function contentPolicy() {
  return {
    name: "content-policy",
    hooks: {
      "astro:build:done": ({ dir }) => {
        const folder = fileURLToPath(dir);
        for (const file of globSync("**/*.html", { cwd: folder })) {
          const html = readFileSync(folder + file, "utf8");
          const meta = `<meta http-equiv="content-security-policy" content="${policyOf(html)}"/>`;
          writeFileSync(folder + file, html.replace(/<meta charset="utf-8"\/?>/i, `$&${meta}`));
        }
      },
    },
  };
}

/** The policy of a page, from its inline scripts. */
function policyOf(html) {
  const hashes = new Set();
  for (const [, attributes, text] of html.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)) {
    if (/\ssrc=/.test(attributes) || text === "") continue;
    hashes.add(`'sha256-${createHash("sha256").update(text).digest("base64")}'`);
  }
  return [
    "default-src 'self'",
    // The search is WebAssembly.
    `script-src 'self' 'wasm-unsafe-eval' ${[...hashes].join(" ")}`.trimEnd(),
    // Highlighted code and diagrams have style attributes.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join("; ");
}
