import { join } from "node:path";

/** How a package manager installs, and how its users then run a program. */
export interface Manager {
  readonly name: string;
  /** Commands that come before, in an empty folder. */
  readonly prepare: readonly (readonly string[])[];
  /** Followed by the packages. */
  readonly install: readonly string[];
  /** Put before each package. */
  readonly prefix: string;
  /** Followed by the file. */
  readonly run: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** Where commands are: those of the repository, and those of `tests/install/tools`. */
export interface Commands {
  readonly bin: string;
  readonly tools: string;
}

/**
 * The managers, each with caches of its own in a folder, since the same version of a package has
 * another content in each run.
 */
export function managersFor(
  { bin, tools }: Commands,
  registry: string,
  folder: string,
): readonly Manager[] {
  const node = [join(bin, "node")];
  return [
    {
      name: "npm",
      prepare: [],
      install: ["npm", "install", "--no-audit", "--no-fund", "--loglevel=error"],
      prefix: "",
      run: node,
      environment: { npm_config_registry: registry, npm_config_cache: join(folder, "npm") },
    },
    {
      name: "pnpm",
      prepare: [],
      install: [join(tools, "pnpm"), "add"],
      prefix: "",
      run: node,
      environment: {
        npm_config_registry: registry,
        pnpm_config_registry: registry,
        pnpm_config_store_dir: join(folder, "pnpm"),
        pnpm_config_minimum_release_age: "0",
      },
    },
    {
      name: "yarn",
      prepare: [[join(tools, "yarn"), "init"]],
      install: [join(tools, "yarn"), "add"],
      prefix: "",
      run: [join(tools, "yarn"), "node"],
      environment: {
        YARN_NPM_REGISTRY_SERVER: registry.replace(/\/$/, ""),
        YARN_UNSAFE_HTTP_WHITELIST: "127.0.0.1",
        YARN_GLOBAL_FOLDER: join(folder, "yarn"),
        YARN_NPM_MINIMAL_AGE_GATE: "0",
        YARN_ENABLE_TELEMETRY: "0",
      },
    },
    {
      name: "Deno",
      prepare: [],
      // Deno takes no package that is younger than a day, unless it is asked to.
      install: [join(bin, "deno"), "add", "--minimum-dependency-age=0"],
      prefix: "npm:",
      run: [join(bin, "deno"), "run", "-A", "--minimum-dependency-age=0"],
      environment: { NPM_CONFIG_REGISTRY: registry, DENO_DIR: join(folder, "deno") },
    },
    {
      name: "Bun",
      prepare: [],
      install: [join(bin, "bun"), "add"],
      prefix: "",
      run: [join(bin, "bun")],
      environment: {
        BUN_CONFIG_REGISTRY: registry,
        BUN_INSTALL_CACHE_DIR: join(folder, "bun"),
      },
    },
  ];
}
