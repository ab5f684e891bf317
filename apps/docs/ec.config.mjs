import { defineEcConfig } from "@astrojs/starlight/expressive-code";
import { layerCode } from "./src/integrations/layer-code.mjs";

export default defineEcConfig({
  themes: ["github-dark-default", "github-light-default"],
  plugins: [layerCode()],
});
