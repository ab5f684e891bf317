import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

interface Target {
  readonly types: Readonly<Record<string, string>>;
  readonly "@listwatch/source": string;
  readonly default: string;
}

interface Manifest {
  readonly name: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly exports: Readonly<Record<string, string | Target>>;
}

const packages = readdirSync("packages").map((folder) => {
  const text = readFileSync(`packages/${folder}/package.json`, "utf8");
  return [folder, JSON.parse(text) as Manifest] as const;
});

describe.each(packages)("the package.json of %s", (folder, manifest) => {
  test("says what registries show and check: origin, home, issues, licence and provenance", () => {
    expect(manifest).toMatchObject({
      license: "Apache-2.0",
      repository: {
        type: "git",
        url: "git+https://github.com/listwatch/listwatch.git",
        directory: `packages/${folder}`,
      },
      homepage: `https://github.com/listwatch/listwatch/tree/main/packages/${folder}#readme`,
      bugs: { url: "https://github.com/listwatch/listwatch/issues" },
      publishConfig: { access: "public", provenance: true },
    });
  });

  test("says what the package is, in words that searches find, and which Node it needs", () => {
    expect(manifest.description).toMatch(/^[A-Z].{20,120}[^.]$/);
    expect(manifest.keywords).toContain("kubernetes");
    expect(manifest.keywords).toEqual([...new Set(manifest.keywords)].toSorted());
    expect(manifest).toMatchObject({ type: "module", engines: { node: ">=22.9" } });
  });

  test("names the types of each entry first, which in this repository are its sources", () => {
    for (const [path, target] of Object.entries(manifest.exports)) {
      if (typeof target === "string") continue;
      const { types, "@listwatch/source": source } = target;
      expect([path, Object.keys(target)]).toEqual([
        path,
        ["types", "@listwatch/source", "default"],
      ]);
      expect([path, Object.entries(types)]).toEqual([
        path,
        [
          ["@listwatch/source", source],
          ["default", expect.stringMatching(/^\.\/dist\/.*\.d\.ts$/)],
        ],
      ]);
    }
  });
});
