import { defineConfig } from "astro/config";
import starlight from "@astrojs/starlight";
import { createStarlightTypeDocPlugin } from "starlight-typedoc";
import { accessiblePages } from "./src/integrations/accessible-pages.mjs";
import { contentPolicy } from "./src/integrations/content-policy.mjs";
import { markdownPages } from "./src/integrations/markdown-pages.mjs";
import { searchWeights } from "./src/integrations/search-weights.mjs";

// A group of API pages for each entry point, made from the sources, so the site needs no build of
// the packages.
const entryPoints = [
  ["@listwatch/core-fifo", "core-fifo/src/index.ts"],
  ["@listwatch/core-fifo/testing", "core-fifo/src/testing.ts"],
  ["@listwatch/client", "client/src/index.ts"],
  ["@listwatch/store-indexer", "store-indexer/src/index.ts"],
  ["@listwatch/reflector", "reflector/src/index.ts"],
  ["@listwatch/shared-informer", "shared-informer/src/index.ts"],
  ["@listwatch/workqueue", "workqueue/src/index.ts"],
  ["@listwatch/controller", "controller/src/index.ts"],
  ["@listwatch/client-node", "client-node/src/index.ts"],
  ["listwatch/node", "listwatch/src/node.ts"],
  ["@listwatch/fake-apiserver", "fake-apiserver/src/index.ts"],
  ["@listwatch/fake-apiserver/node", "fake-apiserver/src/adapters/node.ts"],
];
const api = entryPoints.map(([name, file]) => {
  const [plugin, group] = createStarlightTypeDocPlugin();
  const options = {
    entryPoints: [`../../packages/${file}`],
    tsconfig: "./tsconfig.api.json",
    output: `api/${name.replace("@listwatch/", "").replace("/", "-")}`,
    sidebar: { label: name.replace("@listwatch/", ""), collapsed: true },
    typeDoc: {
      name,
      excludePrivate: true,
      excludeInternal: true,
      excludeExternals: true,
      skipErrorChecking: true,
      disableSources: true,
      parametersFormat: "table",
      interfacePropertiesFormat: "table",
      propertyMembersFormat: "table",
      typeAliasPropertiesFormat: "table",
      readme: "none",
    },
  };
  return { plugin: plugin(options), group };
});

const site = "https://listwatch.github.io";
const base = "/listwatch";

// Addresses of pages that moved.
const moved = {
  guides: {
    "start/": ["connecting"],
    "tasks/": [
      "shared-informers",
      "dashboards",
      "client",
      "controllers",
      "testing",
      "fake-api-server",
      "other-languages",
      "types",
    ],
    "operate/": ["performance"],
    "understand/": ["queues", "stores-and-indexes", "reflector", "work-queues"],
  },
  reference: {
    "operate/": ["troubleshooting", "versions"],
    "understand/": ["differences", "fault-matrix"],
  },
  start: { "understand/": ["layers"] },
};
const redirects = {
  "/guides/log": `${base}/operate/observability/`,
  ...Object.fromEntries(
    Object.entries(moved).flatMap(([from, targets]) =>
      Object.entries(targets).flatMap(([to, names]) =>
        names.map((name) => [`/${from}/${name}`, `${base}/${to}${name}/`]),
      ),
    ),
  ),
};

export default defineConfig({
  site,
  base,
  redirects,
  trailingSlash: "always",
  integrations: [
    searchWeights(),
    starlight({
      // Words in a title count less than words in the text of a page.
      pagefind: { ranking: { metaWeights: { title: 0.2 } } },
      title: "listwatch",
      description: "Kubernetes informers for TypeScript",
      favicon: "/favicon.svg",
      logo: { src: "./src/assets/logo.svg", alt: "" },
      customCss: ["./src/styles/theme.css"],
      head: [
        { tag: "meta", attrs: { property: "og:image", content: `${site}${base}/og.png` } },
        { tag: "meta", attrs: { property: "og:image:width", content: "1200" } },
        { tag: "meta", attrs: { property: "og:image:height", content: "630" } },
        {
          tag: "meta",
          attrs: {
            property: "og:image:alt",
            content: "listwatch: Kubernetes informers for TypeScript",
          },
        },
      ],
      social: [{ icon: "github", label: "Source", href: "https://github.com/listwatch/listwatch" }],
      components: {
        Footer: "./src/starlight/Footer.astro",
        Hero: "./src/front/Hero.astro",
        MarkdownContent: "./src/starlight/MarkdownContent.astro",
      },
      expressiveCode: { themes: ["github-dark-default", "github-light-default"] },
      plugins: api.map(({ plugin }) => plugin),
      sidebar: [
        {
          label: "Start",
          items: ["start/getting-started", "start/connecting"],
        },
        {
          label: "Tasks",
          items: [
            "tasks/shared-informers",
            "tasks/dashboards",
            "tasks/client",
            "tasks/controllers",
            "tasks/testing",
            "tasks/fake-api-server",
            "tasks/other-languages",
            "tasks/types",
          ],
        },
        {
          label: "Operate",
          items: [
            "operate/observability",
            "operate/troubleshooting",
            "operate/performance",
            "operate/versions",
          ],
        },
        {
          label: "Understand",
          items: [
            "understand/layers",
            {
              label: "Build your own informer",
              collapsed: true,
              items: [
                "build-your-own",
                "build-your-own/queue",
                "build-your-own/reflector",
                "build-your-own/shared-informer",
                "build-your-own/indexes-and-factory",
                "build-your-own/controller",
                "build-your-own/other-stores",
              ],
            },
            "understand/queues",
            "understand/stores-and-indexes",
            "understand/reflector",
            "understand/work-queues",
            "understand/differences",
            "understand/fault-matrix",
          ],
        },
        {
          label: "Coming from",
          items: ["coming-from/client-go", "coming-from/kubernetes-client-node"],
        },
        { label: "Reference", items: ["reference/commands", "reference/errors"] },
        { label: "API", items: api.map(({ group }) => group) },
      ],
    }),
    accessiblePages(),
    markdownPages({ site, base }),
    contentPolicy(),
  ],
  vite: { worker: { format: "es" }, resolve: { conditions: ["@listwatch/source"] } },
});
