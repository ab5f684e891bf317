import type { Loader, LoaderContext } from "astro/loaders";
import { type DeclarationReflection, ReflectionKind } from "typedoc";
import { Addresses } from "./addresses.ts";
import { type Module, readModules } from "./modules.ts";
import { arrangePages, findEmbedded, type Page } from "./pages.ts";
import { type Heading, SymbolWriter } from "./symbols.ts";
import { PageText } from "./text.ts";

const kinds: readonly (readonly [ReflectionKind, string])[] = [
  [ReflectionKind.Class, "Classes"],
  [ReflectionKind.Function, "Functions"],
  [ReflectionKind.Variable, "Constants"],
  [ReflectionKind.Interface | ReflectionKind.TypeAlias, "Types"],
];

/** A page as Markdown with its headings. */
interface Document {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly markdown: string;
  readonly headings: readonly Heading[];
  /** Position in the navigation. */
  readonly order?: number;
}

/** Adds the pages about the exports of the packages to those of another loader. */
export function withReference(written: Loader): Loader {
  return {
    ...written,
    load: async (context) => {
      await written.load(context);
      const documents = writeReference(await readModules(), context.config.base);
      for (const document of documents) await store(document, context);
      context.logger.info(`${documents.length} pages of the API`);
    },
  };
}

function writeReference(modules: readonly Module[], base: string): readonly Document[] {
  const embedded = findEmbedded(modules);
  const pages = modules.map((module) => [module, arrangePages(module, embedded)] as const);
  const all = pages.flatMap(([, own]) => own);
  const addresses = new Addresses(base, all, embedded);
  return [
    ...pages.map(([module, own]) => writeOverview(module, own, addresses)),
    ...all.map((page) => writePage(page, addresses)),
  ];
}

function writePage(page: Page, addresses: Addresses): Document {
  const text = new PageText(page, addresses);
  const writer = new SymbolWriter(text);
  return {
    id: page.id,
    title: page.title,
    description: page.symbols.map(({ name }) => name).join(", "),
    markdown: `${originOf(page.module)}\n\n${writer.write()}`,
    headings: writer.headings,
  };
}

function writeOverview(module: Module, pages: readonly Page[], addresses: Addresses): Document {
  const { folder, names, reflection, symbols } = module;
  const text = new PageText(pages[0]!, addresses);
  const introduction = text.comment(reflection.comment?.summary);
  const headings: Heading[] = [];
  const sections = kinds.flatMap(([kind, title]) => {
    const items = symbols
      .filter((symbol) => symbol.kindOf(kind))
      .toSorted((a, b) => a.name.localeCompare(b.name))
      .map(
        (symbol) =>
          `- [\`${symbol.name}\`](${addresses.of(symbol)}): ${firstSentence(text, symbol)}`,
      );
    if (items.length === 0) return [];
    headings.push({ depth: 2, slug: title.toLowerCase(), text: title });
    return [`<h2 id="${title.toLowerCase()}">${title}</h2>`, items.join("\n")];
  });
  return {
    id: `api/${folder}`,
    title: names.at(-1)!,
    description: introduction.replaceAll("\n", " "),
    markdown: [originOf(module), introduction, ...sections].join("\n\n"),
    headings,
    order: 0,
  };
}

function originOf({ names }: Module): string {
  const all = names.map((name) => `<code>${name}</code>`).join(" or ");
  return `<p class="origin">Import from ${all}</p>`;
}

function firstSentence(text: PageText, symbol: DeclarationReflection): string {
  const comment = (symbol.signatures?.[0] ?? symbol).comment;
  const [first = ""] = text.comment(comment?.summary).split(/\n\n|(?<=\.)\s/);
  return first.replaceAll("\n", " ");
}

async function store(document: Document, context: LoaderContext): Promise<void> {
  const { description, headings, id, markdown, order, title } = document;
  // The navigation orders pages by the paths that their files would have.
  const filePath = `src/content/docs/${id}${order === undefined ? "" : "/index"}.md`;
  const sidebar = order === undefined ? {} : { label: "Overview", order };
  const data = await context.parseData({
    id,
    data: { title, description, sidebar, editUrl: false, lastUpdated: false },
    filePath,
  });
  const { html, metadata } = await context.renderMarkdown(markdown);
  context.store.set({
    id,
    data,
    filePath,
    rendered: { html, metadata: { ...metadata, headings: [...headings] } },
    digest: context.generateDigest(markdown),
  });
}
