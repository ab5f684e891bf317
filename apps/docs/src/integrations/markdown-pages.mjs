import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const source = fileURLToPath(new URL("../content/docs/", import.meta.url));
const examples = fileURLToPath(new URL("../../../../examples/", import.meta.url));

/**
 * Puts each written page beside its HTML as `index.md`, and a list of them into `llms.txt`: for
 * programs that read text.
 */
export function markdownPages({ site, base }) {
  return {
    name: "markdown-pages",
    hooks: {
      "astro:build:done": ({ dir, logger }) => {
        const folder = fileURLToPath(dir);
        const pages = globSync("**/*.{md,mdx}", { cwd: source })
          .filter((file) => !file.startsWith("404"))
          .toSorted()
          .map((file) => readPage(file));
        for (const { path, title, description, text } of pages) {
          const file = join(folder, path, "index.md");
          mkdirSync(dirname(file), { recursive: true });
          writeFileSync(file, `# ${title}\n\n${description}\n\n${text}\n`);
        }
        const home = pages.find(({ path }) => path === "");
        const links = pages
          .filter((page) => page !== home)
          .map(
            ({ path, title, description }) =>
              `- [${title}](${site}${base}/${path}index.md): ${description}`,
          );
        const head = `# ${home.title}\n\n> ${home.description}\n\n## Pages\n`;
        writeFileSync(join(folder, "llms.txt"), `${head}\n${links.join("\n")}\n`);
        logger.info(`${pages.length} pages as Markdown`);
      },
    },
  };
}

/** A page's front matter and its text, with the programs in place of the components that run them. */
function readPage(file) {
  const [, matter, body] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(
    readFileSync(join(source, file), "utf8"),
  );
  const member = (name) => new RegExp(`^${name}: (.*)$`, "m").exec(matter)?.[1] ?? "";
  const path = file.replace(/(^|\/)index\.mdx?$/, "$1").replace(/\.mdx?$/, "/");
  return {
    path,
    title: member("title"),
    description: member("description"),
    text: plainMarkdown(body),
  };
}

/** Markdown without components: what they show is put in their place, or left out. */
function plainMarkdown(body) {
  return outsideFences(body, (text) =>
    text
      .replaceAll(/^\{\/\*.*\*\/\}\n/gm, "")
      .replaceAll(/^(import|export) .*;\n/gm, "")
      .replaceAll(/<LiveExample name="([^"]+)" \/>/g, (_all, name) => example(name))
      .replaceAll(/^[ \t]*<TabItem label="([^"]+)"[^>]*>$/gm, "$1:")
      .replaceAll(/<Card title="([^"]+)"[^>]*>/g, "**$1**")
      .replaceAll(/<[A-Z]\w*\s[^>]*\bcaption="([^"]+)"[^>]*\/>/g, "*$1*")
      .replaceAll(/^[ \t]*<\/?[A-Z]\w*(\s[^>]*)?>\n?/gm, ""),
  )
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

function outsideFences(text, change) {
  return text
    .split(/(^ *```[\s\S]*?^ *```$)/m)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join("");
}

function example(name) {
  const code = readFileSync(`${examples}${name}.ts`, "utf8").trimEnd();
  const output = readFileSync(`${examples}${name}.out`, "utf8").trimEnd();
  return `\`\`\`ts\n${code}\n\`\`\`\n\nprints\n\n\`\`\`\n${output}\n\`\`\``;
}
