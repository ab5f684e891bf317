import { readFileSync } from "node:fs";
import { join } from "node:path";
import { definePlugin } from "@astrojs/starlight/expressive-code";
import { findImports } from "../components/live/imports.ts";
import { singleLayers } from "../components/live/single-layers.ts";
import { readLayers, repositoryFolder } from "./package-layers.ts";

const layers = readLayers();
const programLanguages = new Set(["ts", "tsx", "js", "jsx", "mjs", "typescript", "javascript"]);
const shellLanguages = new Set(["sh", "bash", "shell"]);

/**
 * Puts a second form of a block beside the one that is written: imports from single layers beside
 * those from `listwatch`, and their packages in install commands. A page shows one of both, by the
 * attribute `data-packages` of its root; without scripts the form that is written.
 */
export function layerCode() {
  const forms = new WeakMap();
  return definePlugin({
    name: "layer-code",
    hooks: {
      preprocessCode: ({ codeBlock }) => {
        const second = secondForm(codeBlock);
        if (second === undefined || second === codeBlock.code) return;
        const lines = changedLines(codeBlock.code.split("\n"), second.split("\n"));
        forms.set(codeBlock, { ...lines, second, first: codeBlock.code });
        codeBlock.insertLines(lines.end, lines.inserted);
      },
      postprocessRenderedLine: ({ codeBlock, lineIndex, renderData }) => {
        const form = forms.get(codeBlock);
        if (form === undefined || lineIndex < form.start) return;
        const isSecond = lineIndex >= form.end;
        if (isSecond && lineIndex >= form.end + form.inserted.length) return;
        const { properties } = renderData.lineAst;
        properties.className = [properties.className, isSecond ? "of-layers" : "of-all"].flat();
        // The search has the form that is shown without scripts.
        if (isSecond) properties["data-pagefind-ignore"] = "";
      },
      postprocessRenderedBlockGroup: ({ renderedGroupContents }) => {
        for (const { codeBlock, renderedBlockAst } of renderedGroupContents) {
          const form = forms.get(codeBlock);
          if (form === undefined) continue;
          renderedBlockAst.properties["data-has-layers"] = "";
          const button = findCopyButton(renderedBlockAst);
          if (button === undefined) continue;
          button.properties.dataCode = form.first.replaceAll("\n", "\u007F");
          button.properties.dataOtherCode = form.second.replaceAll("\n", "\u007F");
        }
      },
    },
  });
}

function secondForm({ code, language, parentDocument }) {
  if (programLanguages.has(language)) return singleLayers(code, layers);
  const page = parentDocument?.sourceFilePath;
  if (!shellLanguages.has(language) || page === undefined) return undefined;
  if (!/^(?:npm install|(?:deno|bun|pnpm|yarn) add) .*\blistwatch\b/m.test(code)) return undefined;
  const packages = packagesOf(page);
  return packages.length === 0 ? undefined : withPackages(code, packages);
}

/** Install commands of the packages instead of `listwatch`. */
function withPackages(code, packages) {
  return code.replaceAll(
    /^((?:npm install|(?:deno|bun|pnpm|yarn) add)(?: \S+)*?) ((?:npm:|jsr:)?)listwatch(?=\s|$)/gm,
    (_all, command, registry) =>
      [command, ...packages.map((name) => `${registry}${name}`)].join(" "),
  );
}

/** The packages that the programs of a page import in the form of single layers. */
function packagesOf(page) {
  const text = readFileSync(page, "utf8");
  const fences = [...text.matchAll(/^ *```(?:ts|js|mjs)\b[^\n]*\n([\s\S]*?)^ *```$/gm)];
  const examples = [...text.matchAll(/<LiveExample name="([^"]+)"/g)].map(([, name]) =>
    join(repositoryFolder(), `examples/${name}.ts`),
  );
  const programs = [
    ...fences.map(([, code]) => code.replaceAll(/^ +(?=import)/gm, "")),
    ...examples.map((file) => readFileSync(file, "utf8")),
  ];
  const modules = programs
    .flatMap((code) => findImports(singleLayers(code, layers)))
    .map(({ module }) => /^(?:@listwatch\/[^/]+|listwatch)(?=\/|$)/.exec(module)?.[0]);
  return [...new Set(modules.filter((name) => name !== undefined))].toSorted();
}

/** The lines in which two texts differ, without those that begin and end both. */
function changedLines(first, second) {
  let start = 0;
  while (start < second.length && first[start] === second[start]) start++;
  let same = 0;
  const most = Math.min(first.length, second.length) - start;
  while (same < most && first.at(-1 - same) === second.at(-1 - same)) same++;
  const inserted = second.slice(start, second.length - same);
  return { start, end: first.length - same, inserted };
}

function findCopyButton(element) {
  if (element.properties?.dataCode !== undefined) return element;
  for (const child of element.children ?? []) {
    const found = findCopyButton(child);
    if (found !== undefined) return found;
  }
  return undefined;
}
