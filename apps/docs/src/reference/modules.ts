import { fileURLToPath } from "node:url";
import { Application, type DeclarationReflection, ReflectionKind } from "typedoc";
import { entryPoints } from "./entry-points.ts";

/** An entry point of the packages, and its exports. */
export interface Module {
  /** Folder of its pages below `api/`. */
  readonly folder: string;
  /** Names to import it by, the preferred one first. */
  readonly names: readonly string[];
  /** Description of the module. */
  readonly reflection: DeclarationReflection;
  readonly symbols: readonly DeclarationReflection[];
}

const packages = fileURLToPath(new URL("../../../../packages/", import.meta.url));

/** Reads all entry points as one project, so that types of other packages are known. */
export async function readModules(): Promise<readonly Module[]> {
  const app = await Application.bootstrap({
    entryPoints: entryPoints.map(({ file }) => packages + file),
    tsconfig: fileURLToPath(new URL("../../tsconfig.api.json", import.meta.url)),
    excludePrivate: true,
    excludeInternal: true,
    excludeExternals: true,
    skipErrorChecking: true,
    disableGit: true,
    sourceLinkTemplate: "{path}",
    sort: ["source-order"],
    preservedTypeAnnotationTags: ["@throws"],
    jsDocCompatibility: { defaultTag: false },
    readme: "none",
    logLevel: "Error",
  });
  const project = await app.convert();
  if (project === undefined) throw new Error("TypeDoc cannot read the sources");
  const reflections = new Map<string, DeclarationReflection>(
    project.children!.map((reflection) => [reflection.sources![0]!.fullFileName, reflection]),
  );
  return entryPoints.map(({ file, folder, names }) => {
    const reflection = reflections.get(packages + file)!;
    const symbols = reflection.children!.filter(({ kind }) => kind !== ReflectionKind.Reference);
    return { folder, names, reflection, symbols };
  });
}
