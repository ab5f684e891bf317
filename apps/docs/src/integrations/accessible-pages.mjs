import { globSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * Mends in the built pages what keeps them from those who use keys and screen readers: tables and
 * code scroll by keys, too, an empty cell is not a heading, and each block of code has a name.
 */
export function accessiblePages() {
  return {
    name: "accessible-pages",
    hooks: {
      "astro:build:done": ({ dir }) => {
        const folder = fileURLToPath(dir);
        for (const file of globSync("**/*.html", { cwd: folder })) {
          writeFileSync(folder + file, mend(readFileSync(folder + file, "utf8")));
        }
      },
    },
  };
}

function mend(html) {
  let blocks = 0;
  // Tables of the reference and the comparison of the front page arrange their cells.
  const wide = /<table(?! class="(?:members|arranged))[\s>][\s\S]*?<\/table>/g;
  return html
    .replaceAll(wide, '<div class="scrolls" tabindex="0">$&</div>')
    .replaceAll(/<th(?=[\s>])([^>]*)><\/th>/g, "<td$1></td>")
    .replaceAll(
      /<pre(?=[^>]* data-language)/g,
      () => `<pre aria-label="Code ${++blocks}" tabindex="0"`,
    );
}
