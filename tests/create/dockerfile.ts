// Executes a Dockerfile in folders, on a machine without Docker. A folder takes the place of each
// image, with what the steps copy and make. Bases have what they have in common with this machine:
// the programs of the path.
import { execSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";

/** An image as a folder. */
export interface BuiltImage {
  readonly folder: string;
  /** Folder in which the program starts, of this machine. */
  readonly workingFolder: string;
  /** The base image of the stage. */
  readonly base: string;
  readonly user: string;
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
}

interface Instruction {
  readonly name: string;
  readonly rest: string;
}

/** Reads the instructions: comments are left out, and continued lines joined. */
function readDockerfile(text: string): readonly Instruction[] {
  const lines = text
    .split("\n")
    .filter((line) => !/^\s*(?:#|$)/.test(line))
    .join("\n")
    .replaceAll(/\\\n\s*/g, "");
  return lines.split("\n").map((line) => {
    const [, name = "", rest = ""] = /^([A-Z]+)\s+(.*)$/.exec(line.trim()) ?? [];
    if (name === "") throw new Error(`Dockerfile: expected an instruction, got "${line}"`);
    return { name, rest };
  });
}

/**
 * Executes the stages that a target needs.
 *
 * @param context folder of the project
 * @param into empty folder for the images
 * @throws {Error} for an instruction that it does not know, and one that fails
 */
export function buildImage(
  context: string,
  target: string,
  into: string,
  env: NodeJS.ProcessEnv,
): BuiltImage {
  const instructions = readDockerfile(readFileSync(join(context, "Dockerfile"), "utf8"));
  const images = new Map<string, BuiltImage>();
  let stage = "";
  const build = (): BuiltImage => {
    const image = images.get(stage);
    if (image === undefined) throw new Error("Dockerfile: expected FROM first");
    return image;
  };
  const set = (change: Partial<BuiltImage>) => images.set(stage, { ...build(), ...change });
  for (const { name, rest } of instructions) {
    const words = rest.split(/\s+/);
    switch (name) {
      case "FROM": {
        if (images.has(target)) return found(images, target);
        const [base = "", , as = ""] = words;
        stage = as;
        const folder = join(into, as);
        mkdirSync(folder, { recursive: true });
        const inherited = { workingFolder: folder, user: "", entrypoint: [], command: [] };
        images.set(as, { ...inherited, base, folder });
        break;
      }
      case "WORKDIR":
        set({ workingFolder: join(build().folder, rest) });
        mkdirSync(build().workingFolder, { recursive: true });
        break;
      case "COPY":
        copy(words, context, images, build());
        break;
      case "RUN":
        execSync(rest, { cwd: build().workingFolder, env, stdio: "pipe" });
        break;
      case "USER":
        set({ user: rest });
        break;
      case "ENTRYPOINT":
        set({ entrypoint: JSON.parse(rest) });
        break;
      case "CMD":
        set({ command: JSON.parse(rest) });
        break;
      default:
        throw new Error(`Dockerfile: expected an instruction of the list, got ${name}`);
    }
  }
  return found(images, target);
}

function found(images: ReadonlyMap<string, BuiltImage>, target: string): BuiltImage {
  const image = images.get(target);
  if (image === undefined) throw new Error(`Dockerfile: expected a stage ${target}`);
  return image;
}

/** Copies files, and the content of folders, as COPY does. */
function copy(
  words: readonly string[],
  context: string,
  images: ReadonlyMap<string, BuiltImage>,
  image: BuiltImage,
): void {
  const from = words.find((word) => word.startsWith("--from="))?.slice("--from=".length);
  const paths = words.filter((word) => !word.startsWith("--"));
  const target = paths.at(-1) ?? "";
  const into = target.startsWith("/")
    ? join(image.folder, target)
    : join(image.workingFolder, target);
  for (const path of paths.slice(0, -1)) {
    const source = join(from === undefined ? context : found(images, from).folder, path);
    if (!existsSync(source)) throw new Error(`Dockerfile: COPY: there is no ${path}`);
    const isFile = statSync(source).isFile();
    cpSync(source, isFile && target.endsWith("/") ? join(into, basename(path)) : into, {
      recursive: true,
      verbatimSymlinks: true,
    });
  }
}
