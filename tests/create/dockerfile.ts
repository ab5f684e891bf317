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

/** A stage: the instructions after its FROM. */
interface Stage {
  readonly name: string;
  readonly base: string;
  readonly steps: readonly Instruction[];
}

function stagesOf(instructions: readonly Instruction[]): ReadonlyMap<string, Stage> {
  const stages = new Map<string, Stage>();
  let last: Stage | undefined;
  for (const instruction of instructions) {
    if (instruction.name === "FROM") {
      const [base = "", as = "", name = ""] = instruction.rest.split(/\s+/);
      if (as !== "AS") throw new Error(`Dockerfile: expected a name of the stage of ${base}`);
      last = { name, base, steps: [] };
    } else if (last === undefined) throw new Error("Dockerfile: expected FROM first");
    else last = { ...last, steps: [...last.steps, instruction] };
    stages.set(last.name, last);
  }
  return stages;
}

/**
 * Executes the stages that a target needs, as BuildKit does.
 *
 * @param context folder of the project
 * @param into folder for the images
 * @throws {Error} for an instruction that it does not know, and one that fails
 */
export function buildImage(
  context: string,
  target: string,
  into: string,
  env: NodeJS.ProcessEnv,
): BuiltImage {
  const text = readFileSync(join(context, "Dockerfile"), "utf8");
  const stages = stagesOf(readDockerfile(text));
  const images = new Map<string, BuiltImage>();
  const imageOf = (name: string): BuiltImage => {
    const stage = stages.get(name);
    if (stage === undefined) throw new Error(`Dockerfile: expected a stage ${name}`);
    const image = images.get(name) ?? buildStage(stage, { context, into, env, imageOf });
    images.set(name, image);
    return image;
  };
  return imageOf(target);
}

interface BuildContext {
  readonly context: string;
  readonly into: string;
  readonly env: NodeJS.ProcessEnv;
  readonly imageOf: (name: string) => BuiltImage;
}

function buildStage({ base, name: stage, steps }: Stage, build: BuildContext): BuiltImage {
  const folder = join(build.into, stage);
  mkdirSync(folder, { recursive: true });
  let [workingFolder, user, entrypoint, command]: [string, string, string[], string[]] = [
    folder,
    "",
    [],
    [],
  ];
  for (const { name, rest } of steps) {
    switch (name) {
      case "WORKDIR":
        workingFolder = join(folder, rest);
        mkdirSync(workingFolder, { recursive: true });
        break;
      case "COPY":
        copy(rest.split(/\s+/), build, { folder, workingFolder });
        break;
      case "RUN":
        execSync(rest, { cwd: workingFolder, env: build.env, stdio: "pipe" });
        break;
      case "USER":
        user = rest;
        break;
      case "ENTRYPOINT":
        entrypoint = JSON.parse(rest);
        break;
      case "CMD":
        command = JSON.parse(rest);
        break;
      default:
        throw new Error(`Dockerfile: expected an instruction that this check knows, got ${name}`);
    }
  }
  return { base, folder, workingFolder, user, entrypoint, command };
}

/** Copies files, and the content of folders, as COPY does. */
function copy(
  words: readonly string[],
  build: BuildContext,
  image: Pick<BuiltImage, "folder" | "workingFolder">,
): void {
  const from = words.find((word) => word.startsWith("--from="))?.slice("--from=".length);
  const paths = words.filter((word) => !word.startsWith("--"));
  const target = paths.at(-1) ?? "";
  const into = target.startsWith("/")
    ? join(image.folder, target)
    : join(image.workingFolder, target);
  for (const path of paths.slice(0, -1)) {
    const source = join(from === undefined ? build.context : build.imageOf(from).folder, path);
    if (!existsSync(source)) throw new Error(`Dockerfile: COPY: there is no ${path}`);
    const isFile = statSync(source).isFile();
    cpSync(source, isFile && target.endsWith("/") ? join(into, basename(path)) : into, {
      recursive: true,
      verbatimSymlinks: true,
    });
  }
}
