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

/** A text field for code. */
export interface Editor {
  text(): string;
  replace(text: string): void;
}

// The default colours are for a white page; the second ones are their equals on a dark page.
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
    const both = `light-dark(${color}, ${darkColors[color] ?? "inherit"})`;
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
});

/** Puts an editor into an element and the focus into the editor. */
export function openEditor(parent: HTMLElement, code: string, run: () => void): Editor {
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
        keymap.of([runKey, ...defaultKeymap, ...historyKeymap, indentWithTab]),
        theme,
      ],
    }),
  });
  view.focus();
  return {
    text: () => view.state.doc.toString(),
    replace: (text) => {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    },
  };
}
