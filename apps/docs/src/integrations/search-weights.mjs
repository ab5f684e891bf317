import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Makes the headings of the API's pages weigh less in the search, which otherwise finds each of a
 * hundred symbols before the guide that explains them. It precedes the integration that builds the
 * index.
 */
export function searchWeights() {
  return {
    name: "search-weights",
    hooks: {
      "astro:build:done": ({ dir }) => {
        const folder = join(fileURLToPath(dir), "api");
        for (const name of globSync("**/*.html", { cwd: folder })) {
          const file = join(folder, name);
          const html = readFileSync(file, "utf8");
          writeFileSync(file, html.replaceAll(/<h[1-6]\b/g, '$& data-pagefind-weight="0.05"'));
        }
      },
    },
  };
}
