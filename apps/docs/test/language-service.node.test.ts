import { existsSync, readdirSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import type { LanguageService } from "../src/components/live/language-service.ts";

// `npm test` installs no packages of the site, whose compiler has the API of TypeScript 6. The
// check installs everything, and runs these.
const isInstalled = existsSync("apps/docs/node_modules/typescript");

let service: LanguageService;
let entries: Readonly<Record<string, unknown>>;
let modulesOf: (typeof LanguageService)["modulesOf"];

beforeAll(async () => {
  if (!isInstalled) return;
  const { LanguageService: Service } = await import("../src/components/live/language-service.ts");
  const { readDeclarations, readLibrary } = await import("../src/integrations/declarations.ts");
  const { entries: known, parts } = readDeclarations();
  const files = new Map(
    [readLibrary(), ...Object.values(parts)].flatMap((part) => Object.entries(part)),
  );
  service = new Service(files, known);
  entries = known;
  modulesOf = (code) => Service.modulesOf(code);
});

describe.runIf(isInstalled)("the editor of the site, with its packages", () => {
  test("members of an informer are completed and described", () => {
    const code = `import { SharedInformer } from "listwatch";
declare const informer: SharedInformer;
informer.`;
    service.code = code;
    const labels = service.complete(code.length)?.options.map(({ label }) => label);
    expect(labels).toEqual(expect.arrayContaining(["addEventHandler", "run", "store", "synced"]));
    const { documentation, type } = service.describe(code.length, "addEventHandler") ?? {};
    expect(type).toContain(".addEventHandler(handler: ResourceEventHandler");
    expect(documentation).not.toBe("");
    expect(service.describe(code.indexOf("SharedInformer"))?.type).toContain("SharedInformer<");
  });

  test("a name that a package does not export is an error with its line", () => {
    service.code =
      'import { pods } from "listwatch/resources/core/v1";\nimport {\n  foo,\n} from "listwatch";';
    const [problem, ...others] = service.check();
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ line: 3 });
    expect(problem?.text).toContain("'foo'");
  });

  test("the types of objects come from the resources", () => {
    service.code = `import { createClient, createConnection } from "listwatch";
import { pods } from "listwatch/resources/core/v1";
const client = createClient(createConnection({ server: "http://a" })).resource(pods);
const pod = await client.get("a/b");
pod.spec.containers.length.toFixed().nothing;`;
    expect(service.check().map(({ line, text }) => [line, /'nothing'/.test(text)])).toEqual([
      [5, true],
    ]);
  });

  test("no example that a page shows has an error", () => {
    const problems = ["", "build-your-own/", "testing/", "tutorial/"].flatMap((folder) =>
      readdirSync(`examples/${folder}`)
        .filter((file) => file.endsWith(".ts"))
        .flatMap((file) => {
          const code = readFileSync(`examples/${folder}${file}`, "utf8");
          const modules = modulesOf(code);
          if (!modules.every((module) => module in entries)) return [];
          service.code = code;
          return service.check().map(({ line, text }) => `${file}:${line} ${text}`);
        }),
    );
    expect(problems).toEqual([]);
  });
});
