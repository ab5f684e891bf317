import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Weights by the first folder of a page's path; the other pages are guides. */
const weights = { api: 0.05, "build-your-own": 0.5 };
const guideWeight = 2;

/**
 * Weighs each built page for the search by its path: guides before lessons about how an informer is
 * built, which use the same words, and both before the many pages of the API. Headings have weights
 * of their own unless they get another, so those of the API get the weight of their page. It
 * precedes the integration that builds the index.
 */
export function searchWeights() {
  return {
    name: "search-weights",
    hooks: {
      "astro:build:done": ({ dir }) => {
        const folder = fileURLToPath(dir);
        for (const name of globSync("**/*.html", { cwd: folder })) {
          const file = join(folder, name);
          writeFileSync(file, weigh(readFileSync(file, "utf8"), name.split(/[/\\]/)[0]));
        }
      },
    },
  };
}

function weigh(html, folder) {
  const attribute = `data-pagefind-weight="${weights[folder] ?? guideWeight}"`;
  const weighed = html.replace(/<main\b/, `$& ${attribute}`);
  return folder in weights ? weighed.replaceAll(/<h[1-6]\b/g, `$& ${attribute}`) : weighed;
}
