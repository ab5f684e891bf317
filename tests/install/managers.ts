import { join } from "node:path";

/** A package manager, with its commands to install packages and to run a program. */
export interface Manager {
  readonly name: string;
  /** Preceding commands in an empty folder. */
  readonly prepare: readonly (readonly string[])[];
  /** Install command, followed by the packages. */
  readonly install: readonly string[];
  /** Prefix of each package. */
  readonly prefix: string;
  /** Run command, followed by the file. */
  readonly run: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** Folders of commands: the repository's, and that of `tests/install/tools`. */
export interface Commands {
  readonly bin: string;
  readonly tools: string;
}

/**
 * The managers, each with a separate cache in a folder, since each run publishes other content
 * under the same version.
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
      // Deno rejects packages that are younger than a day by default.
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
