/** The rules of ARCHITECTURE.md ("Layers") for what one workspace imports of the others. */
import { posix } from "node:path";
import { importsOf } from "./imports.ts";

/** The sources of a workspace: their text by their path in it, such as `src/index.ts`. */
export type WorkspaceSources = ReadonlyMap<string, string>;

/** The dependencies that a package.json declares. */
export interface Declared {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/**
 * The packages, lowest first, with the modules of ours that their `src/` may import: a package with
 * all its entries, or one entry. A package of others stands there when the bundle contains it.
 */
export type Layers = Readonly<Record<string, readonly string[]>>;

const scope = "@listwatch/";
/** The package that tests of each layer may import. */
const fake = "fake-apiserver";

/** The package of a module: `@listwatch/client` of `@listwatch/client/node`. */
function packageOf(module: string): string {
  return /^(?:@[^/]+\/)?[^/]+/.exec(module)?.[0] ?? module;
}

function folderOf(name: string): string {
  return name.replace(scope, "");
}

function isOurs(module: string): boolean {
  return module.startsWith(scope) || packageOf(module) === "listwatch";
}

/** Imports of modules that package.json does not declare, and of files outside the workspace. */
export function undeclaredImports(sources: WorkspaceSources, declared: Declared): string[] {
  const sections = [declared.dependencies, declared.devDependencies, declared.peerDependencies];
  const known = new Set([declared.name, ...sections.flatMap((each) => Object.keys(each ?? {}))]);
  return [...sources].flatMap(([path, text]) =>
    importsOf(text).flatMap(({ name, isExempt }) => {
      if (isExempt) return [];
      if (name.startsWith(".")) {
        const target = posix.join(posix.dirname(path), name);
        return target.startsWith("../") ? [`${path} imports ${name} outside the workspace`] : [];
      }
      const isKnown = isBuiltIn(name) || known.has(packageOf(name));
      return isKnown ? [] : [`${path} imports ${name}, which package.json does not declare`];
    }),
  );
}

/**
 * Imports in `src/` of modules that the layer does not list, and that are not dependencies: users
 * do not install what tests need.
 */
export function foreignImports(
  sources: WorkspaceSources,
  allowed: readonly string[],
  declared: Declared,
): string[] {
  const { dependencies, peerDependencies } = declared;
  const installed = Object.keys({ ...dependencies, ...peerDependencies });
  const isListed = (name: string): boolean =>
    allowed.some((each) => [each, scope + each].some((own) => isIn(name, own)));
  const isAllowed = (name: string): boolean =>
    isBuiltIn(name) || isListed(name) || (!isOurs(name) && installed.includes(packageOf(name)));
  return [...sources]
    .filter(([path]) => path.startsWith("src/"))
    .flatMap(([path, text]) =>
      importsOf(text)
        .filter(({ name }) => !name.startsWith(".") && !isAllowed(name))
        .map(({ name }) => `${path} imports ${name}; allowed: ${allowed.join(", ") || "none"}`),
    );
}

/** Whether a module is one, or an entry of it when it is a package. */
function isIn(name: string, module: string): boolean {
  return name === module || packageOf(name) === module;
}

function isBuiltIn(name: string): boolean {
  return /^(?:node|bun|astro|virtual):/.test(name);
}

/** Dependencies that package.json declares, and the layers do not allow. */
export function foreignDependencies(declared: Declared, layers: Layers): string[] {
  const folder = folderOf(declared.name);
  const order = Object.keys(layers);
  const lower = order.slice(0, order.indexOf(folder));
  const allowed = (layers[folder] ?? [])
    .map((module) => module.replace(/\/.*/, ""))
    .filter((name) => order.includes(name));
  const { dependencies, devDependencies, peerDependencies } = declared;
  const used = ours({ ...dependencies, ...peerDependencies });
  return [
    ...allowed
      .filter((name) => !lower.includes(name))
      .map((name) => `the list allows ${name}, which does not come before ${folder}`),
    ...used
      .filter((name) => !allowed.includes(name))
      .map((name) => `package.json depends on ${name}; allowed: ${allowed.join(", ") || "none"}`),
    ...ours(devDependencies)
      .filter((name) => name !== fake && !lower.includes(name))
      .map((name) => `the tests depend on ${name}, which does not come before ${folder}`),
  ];
}

/** The folders of our packages among dependencies. */
function ours(dependencies: Readonly<Record<string, string>> = {}): string[] {
  return Object.keys(dependencies).filter(isOurs).map(folderOf);
}
