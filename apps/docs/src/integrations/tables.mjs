import { globSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * Prepares the tables of written pages for `tables.css`, so that no table is cut: each table gets
 * the room that its columns need as a class, and each cell the name of its column, which is shown
 * where a row becomes a block. Runs after `accessiblePages`, whose boxes it replaces.
 */
export function tables() {
  return {
    name: "tables",
    hooks: {
      "astro:build:done": ({ dir }) => {
        const folder = fileURLToPath(dir);
        const files = globSync("**/*.html", { cwd: folder, exclude: ["api/**"] });
        for (const file of files) {
          const html = readFileSync(folder + file, "utf8");
          writeFileSync(
            folder + file,
            html.replaceAll(scrollingTable, (_, table) => mend(table)),
          );
        }
      },
    },
  };
}

const scrollingTable = /<div class="scrolls" tabindex="0">(<table[\s\S]*?<\/table>)<\/div>/g;
const rowPattern = /<tr[\s\S]*?<\/tr>/g;
const cell = /<(t[hd])\b([^>]*)>([\s\S]*?)<\/\1>/g;

/** Room in rem that a table may need, as in the classes of `tables.css`. */
const rooms = [24, 34, 44, 64];

function mend(table) {
  const [names = [], ...texts] = Array.from(table.matchAll(rowPattern), ([source]) =>
    Array.from(source.matchAll(cell), ([, , , content]) => textOf(content)),
  );
  const needed = roomOf(names, texts);
  const fits = rooms.find((room) => room >= needed) ?? rooms.at(-1);
  const isShort = names.length > 2 && texts.every((row) => row.slice(1).every(isBrief));
  const mended = table
    .replace(
      /<table(?:\s+class="([^"]*)")?/,
      `<table role="table" class="fits-${fits}${isShort ? " short" : ""} $1"`,
    )
    .replaceAll(/<(thead|tbody)\b/g, '<$1 role="rowgroup"')
    .replaceAll(rowPattern, (source) => mendRow(source, names));
  return `<div class="table">${mended}</div>`;
}

function mendRow(source, names) {
  let index = -1;
  return source.replace("<tr", '<tr role="row"').replaceAll(cell, (_, tag, attributes, content) => {
    index++;
    // In a table of two columns the second cell needs no name.
    const name = index > 0 && names.length > 2 && tag === "td" ? (names[index] ?? "") : "";
    const column = name === "" ? "" : ` data-column="${name.replaceAll('"', "&quot;")}"`;
    return `<${tag} role="${roleOf(tag, attributes)}"${column}${attributes}>${broken(content)}</${tag}>`;
  });
}

function roleOf(tag, attributes) {
  if (tag === "td") return "cell";
  return attributes.includes('scope="row"') ? "rowheader" : "columnheader";
}

/** Lets long names in code break after dots, slashes, brackets and commas. */
function broken(content) {
  return content.replaceAll(/<code\b[^>]*>[^<]*<\/code>/g, (code) =>
    code.replaceAll(/(?<=\w[./(,]+)(?=[\w{[])/g, "<wbr>"),
  );
}

/** Room in rem: for each column its longest word, and up to 18 characters of its longest text. */
function roomOf(names, rows) {
  const widths = names.map((name, index) => {
    const texts = rows.map((cells) => cells[index] ?? "");
    const words = [name, ...texts].flatMap((text) => text.split(/\s+|(?<=\w[./(,])(?=\w)/));
    const longest = (list) => Math.max(0, ...list.map((text) => text.length));
    return Math.max(longest(words), Math.min(longest(texts), 18));
  });
  return widths.reduce((sum, width) => sum + width * 0.475 + 1.5, 0);
}

function isBrief(text) {
  return text.length <= 10;
}

function textOf(html) {
  return html
    .replaceAll(/<[^>]+>/g, "")
    .replaceAll(/&[#\w]+;/g, "x")
    .trim();
}
