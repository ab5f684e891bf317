import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { javascript } from "@codemirror/lang-javascript";
import {
  bracketMatching,
  defaultHighlightStyle,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, keymap } from "@codemirror/view";
import { typeScriptLanguage } from "./live/editor-language.ts";

/** A text field for code. */
export interface Editor {
  text(): string;
  replace(text: string): void;
}

// The default colours are for a white page. These two have too little contrast on a grey one.
const lightColors: Readonly<Record<string, string>> = { "#085": "#00704a", "#e40": "#b83200" };
// The equals of the default colours on a dark page.
const darkColors: Readonly<Record<string, string>> = {
  "#404740": "#8b949e",
  "#708": "#ff7b72",
  "#219": "#79c0ff",
  "#164": "#7ee787",
  "#a11": "#a5d6ff",
  "#e40": "#ffa657",
  "#00f": "#79c0ff",
  "#30a": "#d2a8ff",
  "#085": "#7ee787",
  "#167": "#56d4dd",
  "#256": "#a5d6ff",
  "#00c": "#79c0ff",
  "#940": "#8b949e",
  "#f00": "#ff7b72",
};

const highlightStyle = HighlightStyle.define(
  defaultHighlightStyle.specs.map((spec) => {
    const color: unknown = spec["color"];
    if (typeof color !== "string") return spec;
    const both = `light-dark(${lightColors[color] ?? color}, ${darkColors[color] ?? "inherit"})`;
    return Object.assign({}, spec, { color: both });
  }),
);

const theme = EditorView.theme({
  "&": { fontSize: "var(--sl-text-code)", backgroundColor: "transparent" },
  "&.cm-focused": { outline: "2px solid var(--sl-color-accent)", outlineOffset: "-2px" },
  ".cm-content": {
    fontFamily: "var(--sl-font-mono)",
    padding: "0.9rem 0",
    caretColor: "var(--sl-color-white)",
  },
  ".cm-line": { padding: "0 1.1rem", lineHeight: "1.65" },
  ".cm-cursor": { borderLeftColor: "var(--sl-color-white)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":
    { background: "color-mix(in srgb, var(--sl-color-accent) 35%, transparent)" },
  ".cm-tooltip": {
    maxWidth: "min(36rem, 92vw)",
    border: "1px solid var(--sl-color-gray-5)",
    borderRadius: "0.4rem",
    background: "var(--sl-color-bg-nav)",
    color: "var(--sl-color-white)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--sl-font-mono)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    background: "var(--lw-button)",
    color: "#fff",
  },
  ".cm-tooltip .description": {
    maxHeight: "16rem",
    padding: "0.4rem 0.6rem",
    overflow: "auto",
    whiteSpace: "pre-wrap",
    fontSize: "var(--sl-text-xs)",
  },
  ".cm-tooltip .description p": { margin: "0.4rem 0 0" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--lw-deleted)" },
});

/** Options of an editor. */
export interface EditorOptions {
  readonly parent: HTMLElement;
  readonly code: string;
  /** The list that shows the errors of the program. */
  readonly problems: HTMLElement;
  /** Called when the reader presses the keys that run the program. */
  readonly run: () => void;
  /** Called with the code after each change. */
  readonly changed: (code: string) => void;
}

/** Puts an editor into an element and the focus into the editor. */
export function openEditor(options: EditorOptions): Editor {
  const { changed, code, parent, problems, run } = options;
  const runKey = {
    key: "Mod-Enter",
    run: () => {
      run();
      return true;
    },
  };
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: code,
      extensions: [
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        syntaxHighlighting(highlightStyle),
        javascript({ typescript: true }),
        EditorView.contentAttributes.of({ "aria-label": "Code of the example" }),
        // Before the other keys: Enter and the arrows move in a list of completions.
        typeScriptLanguage(problems),
        keymap.of([runKey, ...defaultKeymap, ...historyKeymap, indentWithTab]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) changed(update.state.doc.toString());
        }),
        theme,
      ],
    }),
  });
  view.focus();
  return {
    text: () => view.state.doc.toString(),
    replace: (text) => {
      if (text === view.state.doc.toString()) return;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    },
  };
}
