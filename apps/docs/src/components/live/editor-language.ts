import {
  autocompletion,
  completionKeymap,
  type CompletionContext,
  type CompletionResult,
} from "@codemirror/autocomplete";
import { lintKeymap, linter, type Diagnostic } from "@codemirror/lint";
import type { Extension } from "@codemirror/state";
import { type EditorView, hoverTooltip, keymap, type Tooltip } from "@codemirror/view";
import { LanguageClient } from "./language-client.ts";
import type { Description, Problem } from "./language-service.ts";

// Kinds of TypeScript, with the icons that CodeMirror has for them.
const icons: Readonly<Record<string, string>> = {
  alias: "variable",
  const: "variable",
  getter: "property",
  let: "variable",
  "local class": "class",
  module: "namespace",
  parameter: "variable",
  setter: "property",
  var: "variable",
};

/** Completion, descriptions and errors in an editor of TypeScript, with a list of the errors. */
export function typeScriptLanguage(list: HTMLElement): Extension {
  const client = LanguageClient.shared;
  return [
    autocompletion({ override: [(context) => complete(client, context)] }),
    hoverTooltip((view, at) => describe(client, view, at)),
    linter((view) => check(client, view, list), { delay: 400 }),
    keymap.of([...completionKeymap, ...lintKeymap]),
  ];
}

async function complete(
  client: LanguageClient,
  context: CompletionContext,
): Promise<CompletionResult | null> {
  const before = context.matchBefore(/[\w$.]+$|["'/@]/);
  if (before === null && !context.explicit) return null;
  const code = context.state.doc.toString();
  const found = await client.complete(code, context.pos);
  if (found === undefined) return null;
  return {
    from: found.from,
    validFor: /^[\w$]*$/,
    options: found.options.map(({ label, sortText, type }) => ({
      label,
      type: icons[type] ?? type,
      // The order of TypeScript: what is near comes before the global names.
      boost: sortText <= "11" ? 1 : sortText <= "14" ? 0 : -1,
      info: async () => {
        const description = await client.describe(code, context.pos, label);
        return description === undefined ? null : descriptionElement(description);
      },
    })),
  };
}

async function describe(
  client: LanguageClient,
  view: EditorView,
  at: number,
): Promise<Tooltip | null> {
  const found = await client.describe(view.state.doc.toString(), at);
  if (found === undefined) return null;
  const create = (): { dom: HTMLElement } => ({ dom: descriptionElement(found) });
  return { pos: found.from, end: found.to, above: true, create };
}

async function check(
  client: LanguageClient,
  view: EditorView,
  list: HTMLElement,
): Promise<readonly Diagnostic[]> {
  const problems = await client.check(view.state.doc.toString());
  showProblems(problems, view, list);
  return problems.map(({ from, text, to }) => ({ from, to, severity: "error", message: text }));
}

function descriptionElement({ documentation, type }: Description): HTMLElement {
  const element = document.createElement("div");
  element.className = "description";
  // Its text can be longer than its box, which keys scroll then.
  element.tabIndex = 0;
  const code = document.createElement("code");
  code.textContent = type;
  const text = document.createElement("p");
  // The lines of a comment are not those of the box; lists and paragraphs stay.
  text.textContent = documentation.replaceAll(/(?<!\n)\n(?![\n*-])/g, " ");
  element.append(code, ...(documentation === "" ? [] : [text]));
  return element;
}

/** Lists the errors below the editor: each leads to its line. */
function showProblems(problems: readonly Problem[], view: EditorView, list: HTMLElement): void {
  list.hidden = problems.length === 0;
  const items = problems.map(({ from, line, text }) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = `Line ${line}: ${text}`;
    button.addEventListener("click", () => {
      view.dispatch({ selection: { anchor: from }, scrollIntoView: true });
      view.focus();
    });
    const item = document.createElement("li");
    item.append(button);
    return item;
  });
  list.replaceChildren(...items);
}
