// Colours of code, few and quiet: what a program says itself stays in the colour of text.
const schemes = {
  light: {
    text: "#26241e",
    paper: "#f4f1e9",
    comment: "#6b665a",
    keyword: "#0b6273",
    string: "#8a4a12",
    value: "#7a3b78",
    name: "#1d4f91",
    type: "#2d6a3c",
  },
  dark: {
    text: "#e7e3d9",
    paper: "#201e1a",
    comment: "#a49e90",
    keyword: "#7fc9d9",
    string: "#dda774",
    value: "#d3a3d1",
    name: "#9dbdf0",
    type: "#93c79f",
  },
};

/** A theme of code for each scheme, the dark one first. */
export const codeThemes = ["dark", "light"].map((type) => themeOf(type, schemes[type]));

function themeOf(type, colors) {
  const { text, paper, comment, keyword, string, value, name } = colors;
  const rule = (foreground, ...scope) => ({ scope, settings: { foreground } });
  return {
    name: `listwatch-${type}`,
    type,
    colors: {
      "editor.background": paper,
      "editor.foreground": text,
      "terminal.background": paper,
      "terminal.foreground": text,
    },
    settings: [
      { settings: { foreground: text, background: paper } },
      rule(comment, "comment", "punctuation.definition.comment"),
      rule(keyword, "keyword", "storage", "keyword.operator.new", "keyword.operator.expression"),
      rule(text, "keyword.operator", "punctuation", "storage.type.function.arrow"),
      rule(string, "string", "constant.character", "string.regexp"),
      rule(value, "constant.numeric", "constant.language", "variable.language"),
      rule(name, "entity.name.function", "support.function", "entity.name.command"),
      rule(colors.type, "entity.name.type", "entity.name.class", "support.class", "support.type"),
      rule(keyword, "entity.name.tag", "support.type.property-name", "entity.other.attribute-name"),
    ],
  };
}
