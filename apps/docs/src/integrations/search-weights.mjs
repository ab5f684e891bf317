import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Weights of text by the first folder of a page's path. The other pages are tasks. */
const weights = {
  api: 0.05,
  "build-your-own": 0.4,
  understand: 1,
  "coming-from": 0.7,
  reference: 0.7,
};
const taskWeight = 2;
/** Words count more in a heading, and less in a program. */
const headingFactor = 3;
const programFactor = 0.25;

/**
 * Weighs each built page for the search by its path: pages of tasks before explanations, which use
 * the same words, then lessons, then the many pages of the API. It precedes the integration that
 * builds the index.
 */
export function searchWeights() {
  return {
    name: "search-weights",
    hooks: {
      "astro:build:done": ({ dir }) => {
        const folder = fileURLToPath(dir);
        for (const name of globSync("**/*.html", { cwd: folder })) {
          const file = join(folder, name);
          writeFileSync(file, weigh(readFileSync(file, "utf8"), weightOf(name)));
        }
      },
    },
  };
}

function weightOf(name) {
  // A table with every fault, so that it has the words of every guide.
  if (name.includes("fault-matrix")) return weights.api;
  return weights[name.split(/[/\\]/)[0]] ?? taskWeight;
}

function weigh(html, weight) {
  const heading = weight === weights.api ? weight : weight * headingFactor;
  return html
    .replace(/<main\b/, `$& data-pagefind-weight="${weight}"`)
    .replaceAll(/<h[1-6]\b/g, `$& data-pagefind-weight="${heading}"`)
    .replaceAll(/<pre\b/g, `$& data-pagefind-weight="${weight * programFactor}"`);
}
