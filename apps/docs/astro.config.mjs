import { execFileSync } from "node:child_process";
import { defineConfig, fontProviders } from "astro/config";
import starlight from "@astrojs/starlight";
import { accessiblePages } from "./src/integrations/accessible-pages.mjs";
import { contentPolicy } from "./src/integrations/content-policy.mjs";
import { declarations } from "./src/integrations/declarations.ts";
import { markdownPages } from "./src/integrations/markdown-pages.mjs";
import { searchWeights } from "./src/integrations/search-weights.mjs";
import { tables } from "./src/integrations/tables.mjs";
// @boundaries-ignore a file of the repository that belongs to no package
import { entriesOf } from "../../scripts/main-chunks.ts";
import { referenceSidebar } from "./src/reference/entry-points.ts";

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

const repository = "https://github.com/listwatch/listwatch";

/** A typeface from an npm package, which the site serves itself. */
function typeface(cssVariable, name, weight, fallbacks) {
  const folder = name.toLowerCase().replaceAll(" ", "-");
  const file = `@fontsource-variable/${folder}/files/${folder}-latin-wght-normal.woff2`;
  const variants = [{ weight, style: "normal", src: [file] }];
  return { provider: fontProviders.local(), name, cssVariable, fallbacks, options: { variants } };
}

/** Whether git knows when each page changed: a clone without history has one date for all. */
function hasHistory() {
  try {
    const isShallow = execFileSync("git", ["rev-parse", "--is-shallow-repository"]);
    return isShallow.toString().trim() === "false";
  } catch {
    return false;
  }
}

/**
 * Names the file for what a worker loads at its start. By default the modules that parts which load
 * late share with it are in many small files.
 */
function startOf(module, modules) {
  return entriesOf(module, modules).length > 0 ? "start" : null;
}

export default defineConfig({
  site,
  base,
  redirects,
  trailingSlash: "always",
  fonts: [
    typeface("--lw-font-text", "Schibsted Grotesk", "400 900", ["sans-serif"]),
    typeface("--lw-font-code", "Sometype Mono", "400 700", ["monospace"]),
  ],
  integrations: [
    searchWeights(),
    starlight({
      // A word counts less in a title than in the text, and less in a part of a symbol's name. A
      // long page is not worse than a short one. Frequency and saturation are those of Pagefind,
      // from which Starlight's differ.
      pagefind: {
        ranking: {
          metaWeights: { title: 0.9 },
          pageLength: 0.2,
          termSimilarity: 9,
          termFrequency: 1,
          termSaturation: 1.4,
        },
      },
      title: "listwatch",
      description: "Kubernetes informers for TypeScript",
      favicon: "/favicon.svg",
      editLink: { baseUrl: `${repository}/edit/main/apps/docs/` },
      lastUpdated: hasHistory(),
      routeMiddleware: "./src/starlight/menu.ts",
      logo: { src: "./src/assets/logo.svg", alt: "" },
      customCss: ["./src/styles/theme.css", "./src/styles/reference.css"],
      head: [
        {
          tag: "link",
          attrs: { rel: "icon", href: `${base}/favicon.png`, sizes: "48x48", type: "image/png" },
        },
        { tag: "link", attrs: { rel: "apple-touch-icon", href: `${base}/apple-touch-icon.png` } },
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
      social: [{ icon: "github", label: "Source", href: repository }],
      components: {
        Footer: "./src/starlight/Footer.astro",
        Head: "./src/starlight/Head.astro",
        Hero: "./src/front/Hero.astro",
        MarkdownContent: "./src/starlight/MarkdownContent.astro",
        SiteTitle: "./src/starlight/SiteTitle.astro",
      },
      sidebar: [
        {
          label: "Start",
          items: ["start/why-informers", "start/getting-started", "start/connecting"],
        },
        {
          label: "Tutorial",
          items: [
            "tutorial/definition",
            "tutorial/watch",
            "tutorial/reconcile",
            "tutorial/owned-objects",
            "tutorial/status",
            "tutorial/finalizer",
            "tutorial/retries",
            "tutorial/test",
            "tutorial/simulation",
            "tutorial/deploy",
          ],
        },
        {
          label: "Tasks",
          items: [
            "tasks/shared-informers",
            "tasks/dashboards",
            "tasks/client",
            "tasks/waiting",
            "tasks/controllers",
            "tasks/manager",
            "tasks/several-clusters",
            "tasks/own-writes",
            "tasks/shards",
            "tasks/leader-election",
            "tasks/webhooks",
            "tasks/create",
            "tasks/types",
          ],
        },
        {
          label: "Testing",
          items: [
            "tasks/testing",
            "tasks/test-controllers",
            "tasks/simulation",
            "tasks/fake-api-server",
            "tasks/other-languages",
          ],
        },
        {
          label: "Operate",
          items: [
            "operate/troubleshooting",
            "operate/memory",
            "operate/observability",
            "operate/security",
            "operate/upgrades",
            "operate/scale",
            "operate/sources",
            "operate/performance",
            "operate/versions",
            "operate/glossary",
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
          items: [
            "coming-from/client-go",
            "coming-from/kubernetes-client-node",
            "coming-from/controller-runtime",
            "coming-from/kube-rs",
            "coming-from/kopf",
            "coming-from/java-operator-sdk",
            "coming-from/pepr",
          ],
        },
        { label: "Reference", items: ["reference/commands", "reference/errors"] },
        referenceSidebar,
      ],
    }),
    accessiblePages(),
    tables(),
    markdownPages({ site, base }),
    contentPolicy(),
  ],
  vite: {
    plugins: [declarations()],
    worker: {
      format: "es",
      plugins: () => [declarations()],
      rolldownOptions: {
        output: { codeSplitting: { groups: [{ debugName: "start", name: startOf }] } },
      },
    },
    resolve: { conditions: ["@listwatch/source"] },
  },
});
