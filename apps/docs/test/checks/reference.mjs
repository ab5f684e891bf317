import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import ts from "typescript";
import { dist } from "../site-files.ts";
import { openSearch } from "./search.mjs";

/** Names of symbols and options that are not titles of pages, each with the beginning of a path. */
const searched = {
  isConflict: "api/client/status-error/",
  AddEvent: "api/shared-informer/informer-event/",
  unreachableCapMs: "api/",
  SimulatedClockOptions: "api/core-fifo-testing/simulated-clock/",
};
const widths = [390, 768, 1280, 1600];

/** The pages about the exports: descriptions, links, options that other pages name, and layout. */
export async function checkReference({ check, goto, openPage, site, written }) {
  const pages = new Map(
    globSync("api/**/index.html", { cwd: dist }).map((file) => [
      file.replace("index.html", ""),
      contentOf(readFileSync(`${dist}/${file}`, "utf8")),
    ]),
  );
  const symbols = symbolsOf(pages);

  await check(`${symbols.size} symbols and their members have descriptions`, () => {
    assert.deepEqual(
      [...pages].flatMap(([path, html]) => undescribed(html).map((id) => path + id)),
      [],
    );
  });

  await check("each type in a declaration or table that is a public symbol is a link", () => {
    assert.ok(symbols.size > 500, "the overviews list the symbols");
    assert.deepEqual(
      [...pages].flatMap(([path, html]) =>
        unlinked(html, symbols).map((name) => `${path}: ${name}`),
      ),
      [],
    );
  });

  const options = optionsOf(pages);
  const named = written.flatMap((path) => {
    const text = readFileSync(`${dist}/${path.slice(site.base.length + 1)}index.md`, "utf8");
    return [...optionsInText(text, options), ...optionsInPrograms(text, options)].map(
      ({ isKnown, name }) => ({ isKnown, name: `${path}: ${name}` }),
    );
  });
  await check(`${named.length} options that pages name are in the reference`, () => {
    assert.ok(named.length > 100, "the pages name options");
    assert.deepEqual(
      named.filter(({ isKnown }) => !isKnown).map(({ name }) => name),
      [],
    );
  });

  await check(`the search finds ${Object.keys(searched).join(", ")}`, async () => {
    const page = await openPage();
    await openSearch(page, { goto, site });
    for (const [name, path] of Object.entries(searched)) {
      await page.locator(".pagefind-ui__search-input").fill(name);
      await page
        .locator(`.pagefind-ui__result-link[href^="${site.base}/${path}"]`)
        .first()
        .waitFor();
    }
    await page.context().close();
  });

  await check(`no table of the API is cut: ${widths.join(", ")} px`, async () => {
    const page = await openPage();
    await goto(page, `${site.base}/${[...pages.keys()][0]}`);
    const cut = [];
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      cut.push(...(await page.evaluate(cutTables, { width, pages: [...pages] })));
    }
    assert.deepEqual(cut, []);
    await page.context().close();
  });
}

/** The part of a page between its title and its footer. */
function contentOf(html) {
  return /<div class="sl-markdown-content"[^>]*>([\s\S]*?)<footer\b/.exec(html)?.[1] ?? "";
}

/** Names that the overviews of the modules list. */
function symbolsOf(pages) {
  const overviews = [...pages].filter(([path]) => path.split("/").length === 3);
  const names = overviews.flatMap(([, html]) =>
    [...html.matchAll(/<li>\s*(?:<p>)?<a href="[^"]+"><code[^>]*>(\w+)<\/code>/g)].map(
      ([, name]) => name,
    ),
  );
  return new Set(names);
}

/** Members without a description, and symbols or methods whose heading precedes their declaration. */
function undescribed(html) {
  const isLiteral = (row) => /<td class="type"><code>("[^"]*"|true|false|\d+)<\/code>/.test(row);
  const rows = [...html.matchAll(/<tr(?: id="([^"]*)")?><th scope="row">([\s\S]*?)<\/tr>/g)]
    .filter(([row]) => !isLiteral(row) && textOf(/<td class="text">[\s\S]*/.exec(row)[0]) === "")
    .map(([, id, row]) => `#${id ?? /\w+/.exec(textOf(row))[0]}`);
  const heads = html.matchAll(
    /<(?:p class="origin"|h[23] [^>]*?id="(?!\w+\.properties")([^"]+)")[^>]*>(?:(?!<\/(?:p|h[23])>)[\s\S])*<\/(?:p|h[23])>\s*<(?:div class="signature|table)/g,
  );
  return [...rows, ...[...heads].map(([, id = ""]) => `#${id}`)];
}

/** Names of public types that are plain text, except where they are declared. */
function unlinked(html, symbols) {
  const blocks = html.matchAll(
    /<(?:div class="signature"|td class="type")[^>]*><code[^>]*>([\s\S]*?)<\/code>/g,
  );
  return [...blocks].flatMap(([, code]) => {
    const text = textOf(code.replaceAll(/<a\b[\s\S]*?<\/a>/g, "")).replaceAll(/"[^"]*"/g, "");
    const declared = new Set(
      [...text.matchAll(/\b(?:class|interface|type|const|new) (\w+)/g)].map(([, name]) => name),
    );
    return [...text.matchAll(/(?<![.\w])[A-Z]\w*\b(?!\??:)/g)]
      .map(([name]) => name)
      .filter((name) => symbols.has(name) && !declared.has(name));
  });
}

/**
 * Options in the tables, by type and in all, and the types of the parameters of functions,
 * constructors (`new Name`) and methods (`.name`).
 */
function optionsOf(pages) {
  const html = [...pages.values()].join("");
  const byType = new Map();
  for (const [, type, path] of html.matchAll(/<tr id="(\w+)\.([\w.]+)"/g)) {
    byType.set(type, (byType.get(type) ?? new Set()).add(path));
  }
  const paths = new Set([...byType.values()].flatMap((all) => Array.from(all)));
  const groups = new Set(
    [...paths].filter((path) => path.includes(".")).map((path) => path.replace(/\.\w+$/, "")),
  );
  const calls = new Map();
  for (const [, heading, code] of html.matchAll(
    /(<\/h3>(?:(?!<h[23]|class="signature")[\s\S])*)?<div class="signature"><code[^>]*>([\s\S]*?)<\/code>/g,
  )) {
    for (const line of textOf(code).split("\n")) {
      const [, name, list] = /^((?:new )?\w+)(?:<.*?>)?\((.*)\)/.exec(line) ?? [];
      if (name === undefined) continue;
      const key = heading === undefined ? name : `.${name}`;
      calls.set(key, [...(calls.get(key) ?? []), parameterTypes(list)]);
    }
  }
  return { byType, calls, groups, paths };
}

/** The name of the type of each parameter in a list such as `a: string, options?: SomeOptions<T>`. */
function parameterTypes(list) {
  let depth = 0;
  const marked = [...list.replaceAll("=>", "  ")].map((character) => {
    if ("(<{[".includes(character)) depth++;
    if (")>}]".includes(character)) depth--;
    return character === "," && depth === 0 ? "\n" : character;
  });
  return marked
    .join("")
    .split("\n")
    .map((parameter) => /^[\s.\w]+\??: (\w+)/.exec(parameter)?.[1]);
}

/** Paths in the text, such as `list.pageSize`, whose beginning is a group of options. */
function optionsInText(markdown, { groups, paths }) {
  const isPath = (name) => [...paths].some((path) => path === name || path.endsWith(`.${name}`));
  return [...outsideFences(markdown).matchAll(/`([a-z]\w*(?:\.[a-z]\w*)+)`/g)]
    .filter(([, name]) => groups.has(name.replace(/\.\w+$/, "")))
    .map(([, name]) => ({ name, isKnown: isPath(name) }));
}

function outsideFences(markdown) {
  return markdown.replaceAll(/^ *```[\s\S]*?^ *```$/gm, "");
}

/** Members of the options that programs pass to functions, constructors and methods. */
function optionsInPrograms(markdown, options) {
  const programs = [...markdown.matchAll(/^ *```(?:ts|js)\b.*\n([\s\S]*?)^ *```$/gm)];
  return programs.flatMap(([, program]) => {
    const found = [];
    const visit = (node) => {
      if (ts.isCallExpression(node) || ts.isNewExpression(node))
        found.push(...inCall(node, options));
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile("program.ts", program, ts.ScriptTarget.Latest));
    return found;
  });
}

function inCall(node, { byType, calls }) {
  const { expression } = node;
  const isMember = ts.isPropertyAccessExpression(expression);
  const name = isMember ? expression.name.text : expression.text;
  const key = ts.isNewExpression(node) ? `new ${name}` : isMember ? `.${name}` : name;
  return (node.arguments ?? []).flatMap((argument, index) => {
    if (!ts.isObjectLiteralExpression(argument)) return [];
    const types = (calls.get(key) ?? []).map((parameters) => parameters[index]);
    // A parameter that is not a type of the tables can have members that they do not show.
    if (types.length === 0 || types.some((type) => !byType.has(type))) return [];
    const known = new Set(types.flatMap((type) => Array.from(byType.get(type))));
    return pathsIn(argument, known).map((path) => ({
      name: `${key}({ ${path} })`,
      isKnown: known.has(path),
    }));
  });
}

/** Paths of the members of an object, inside groups as well. */
function pathsIn(object, known, before = "") {
  return object.properties.flatMap((property) => {
    if (property.name === undefined || !ts.isIdentifier(property.name)) return [];
    const path = before + property.name.text;
    const isGroup = [...known].some((other) => other.startsWith(`${path}.`));
    const value = property.initializer;
    return isGroup && value !== undefined && ts.isObjectLiteralExpression(value)
      ? [path, ...pathsIn(value, known, `${path}.`)]
      : [path];
  });
}

function textOf(html) {
  return html
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
    .trim();
}

/** Runs in a page. Shows the content of each page in it, which takes less than to load them. */
function cutTables({ width, pages }) {
  const content = document.querySelector(".sl-markdown-content");
  const found = [];
  for (const [path, html] of pages) {
    content.innerHTML = html;
    const { right } = content.getBoundingClientRect();
    for (const part of content.querySelectorAll("table, th, td, .signature")) {
      // The titles of columns are there for screen readers.
      if (part.closest("thead") !== null) continue;
      const isCut = part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0;
      if (isCut || part.getBoundingClientRect().right > right + 1) {
        found.push(`${path} at ${width} px: ${part.textContent.slice(0, 60)}`);
      }
    }
  }
  return found;
}
