import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Weights of text and of headings by the beginning of a page's path, the first that fits. */
const weights = [
  // A symbol is found by its name, in a heading, and not by the words that explain it.
  { path: "api/", text: 0.05, heading: 0.3 },
  { path: "build-your-own/", text: 0.4, heading: 1.2 },
  { path: "tutorial/", text: 0.4, heading: 1.2 },
  // It shows what guides explain.
  { path: "index.html", text: 0.7, heading: 2.1 },
  // Its table has the words of every guide.
  { path: "understand/fault-matrix/", text: 0.02, heading: 0.02 },
  { path: "understand/", text: 1, heading: 3 },
  { path: "coming-from/", text: 0.7, heading: 2.1 },
  { path: "reference/", text: 0.7, heading: 2.1 },
  // Tasks.
  { path: "", text: 2, heading: 6 },
];
/** Words count less in a program. */
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
          writeFileSync(file, weigh(readFileSync(file, "utf8"), name.replaceAll("\\", "/")));
        }
      },
    },
  };
}

function weigh(html, name) {
  const { heading, text } = weights.find(({ path }) => name.startsWith(path));
  return html
    .replace(/<main\b/, `$& data-pagefind-weight="${text}"`)
    .replaceAll(/<h[1-6]\b/g, `$& data-pagefind-weight="${heading}"`)
    .replaceAll(/<pre\b/g, `$& data-pagefind-weight="${text * programFactor}"`);
}
