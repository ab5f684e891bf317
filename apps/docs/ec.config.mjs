import { defineEcConfig } from "@astrojs/starlight/expressive-code";
import { layerCode } from "./src/integrations/layer-code.mjs";
import { codeThemes } from "./src/styles/code-themes.mjs";

export default defineEcConfig({
  themes: codeThemes,
  plugins: [layerCode()],
  // A command is read whole, on a phone too.
  defaultProps: { overridesByLang: { "sh,bash": { wrap: true } } },
  styleOverrides: {
    borderColor: "var(--sl-color-gray-5)",
    borderRadius: "var(--lw-corner)",
    codeFontFamily: "var(--__sl-font-mono)",
    codeFontSize: "var(--sl-text-code)",
    codeFontWeight: "450",
    codeLineHeight: "1.6",
    codePaddingInline: "1rem",
    frames: {
      editorActiveTabIndicatorTopColor: "transparent",
      editorTabBarBackground: "var(--lw-panel)",
      editorActiveTabBackground: "var(--lw-panel)",
      frameBoxShadowCssValue: "none",
    },
  },
});
