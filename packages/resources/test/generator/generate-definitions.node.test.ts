import { generateDefinitions } from "@listwatch/resources/generator";
import { describe, expect, test } from "vitest";
import { databases, defaults, scales } from "./every-construct.ts";
import { projectStyles } from "./project-styles.ts";

/** Expected outputs, which the type tests compile with every compiler. */
const programs = "../../../../tests/types/programs";
const golden = `${programs}/custom-resources.generated.ts`;
const goldenStyles = `${programs}/project-styles.generated.ts`;

describe("types of custom resources", () => {
  test("match the golden file (TGEN-1, TGEN-2, TGEN-3, TGEN-4, TGEN-5)", async () => {
    await expect(generateDefinitions([databases, scales, defaults])).toMatchFileSnapshot(golden);
  });

  test("match the golden file of the styles of projects (TGEN-2, TGEN-3, TGEN-6)", async () => {
    await expect(generateDefinitions(projectStyles)).toMatchFileSnapshot(goldenStyles);
  });

  test("do not depend on the order of the documents, nor on how they are listed (TGEN-1)", () => {
    const source = generateDefinitions([databases, scales, defaults]);
    const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "web" } };
    expect(generateDefinitions([defaults, pod, scales, null, databases])).toBe(source);
    const list = { apiVersion: "v1", kind: "List", items: [databases, scales, pod, defaults] };
    expect(generateDefinitions([list])).toBe(source);
    const { apiVersion } = databases;
    const kind = "CustomResourceDefinitionList";
    // Items of a list from a server have no type.
    const items = [databases, scales, defaults].map(({ metadata, spec }) => ({ metadata, spec }));
    expect(generateDefinitions([{ apiVersion, kind, items }])).toBe(source);
    expect(generateDefinitions([databases, databases, scales, defaults])).toBe(source);
  });

  test("import from the package with all layers on request", () => {
    const source = generateDefinitions([databases], { imports: "listwatch" });
    expect(source.match(/ from "(.*)";/g)).toEqual([
      ' from "listwatch";',
      ' from "listwatch/resources/autoscaling/v1";',
      ' from "listwatch/resources/meta/v1";',
    ]);
  });

  test("support members named like those of every object, and names that are not identifiers", () => {
    const source = ofSpec(
      Object.fromEntries([
        ["__proto__", { type: "string" }],
        ["constructor", { type: "string", default: "x" }],
        ["toString", { type: "object", properties: { a: { type: "integer" } } }],
        ["a.b/c", { type: "boolean" }],
        ['"; evil', { type: "boolean" }],
      ]),
      ["toString", "constructor"],
    );
    expect(source).toContain("  __proto__?: string | undefined;\n");
    expect(source).toContain('  /** @default "x" */\n  constructor?: string | undefined;\n');
    expect(source).toContain("  toString: WidgetSpecToString;\n");
    expect(source).toContain('  "a.b/c"?: boolean | undefined;\n');
    expect(source).toContain(String.raw`  "\"; evil"?: boolean | undefined;`);
  });

  test("have each value of an enum once, null included", () => {
    const source = ofSpec({
      first: { type: "string", nullable: true, enum: [null, "x"] },
      last: { type: "string", nullable: true, enum: ["x", null] },
      none: { type: "integer", nullable: true, enum: [1, 2, 1] },
    });
    expect(source).toContain('  first?: null | "x" | undefined;\n');
    expect(source).toContain('  last?: "x" | null | undefined;\n');
    expect(source).toContain("  none?: 1 | 2 | null | undefined;\n");
  });

  test("have nullable elements and values (TGEN-4)", () => {
    const map = { type: "object", additionalProperties: { type: "string", enum: ["x", "y"] } };
    const source = ofSpec({
      first: { type: "array", items: { ...map, nullable: true } },
      last: { type: "array", items: { type: "string", nullable: true } },
      other: { type: "array", items: map },
    });
    const text = '{ [key: string]: "x" | "y" }';
    expect(source).toContain(`  first?: (${text} | null)[] | undefined;\n`);
    expect(source).toContain("  last?: (string | null)[] | undefined;\n");
    expect(source).toContain(`  other?: ${text}[] | undefined;\n`);
  });

  test("support each form of int-or-string in definitions", () => {
    const anyOf = [{ type: "integer" }, { type: "string" }];
    const source = ofSpec({
      now: { anyOf, "x-kubernetes-int-or-string": true },
      old: { anyOf },
      older: { type: "string", format: "int-or-string" },
      other: { type: "object", anyOf },
    });
    for (const name of ["now", "old", "older"]) {
      expect(source).toContain(`  ${name}?: number | string | undefined;\n`);
    }
    expect(source).toContain("  other?: { [key: string]: unknown } | undefined;\n");
  });

  test("rename constants that are reserved words", () => {
    for (const plural of ["exports", "require", "class", "default"]) {
      expect(ofSpec({}, [], plural)).toContain(`export const ${plural}_: Resource<Widget,`);
    }
  });

  test("require a definition", () => {
    expect(() => generateDefinitions([{ kind: "Pod" }, 7])).toThrow(
      "Cannot generate types: expected a CustomResourceDefinition, got 2 documents without one",
    );
  });

  test("can be limited to groups, in lists as well", () => {
    const list = { apiVersion: "v1", kind: "List", items: [databases] };
    expect(generateDefinitions([list], { groups: ["example.com"] })).toBe(
      generateDefinitions([databases]),
    );
    expect(() => generateDefinitions([list], { groups: ["a.org", "b.org"] })).toThrow(
      "Cannot generate types: expected a CustomResourceDefinition of the group a.org or b.org, " +
        "got those of example.com",
    );
  });

  test("require complete definitions of the current version", () => {
    const old = { ...databases, apiVersion: "apiextensions.k8s.io/v1beta1" };
    expect(() => generateDefinitions([old])).toThrow(
      "Cannot read a CustomResourceDefinition: expected apiVersion apiextensions.k8s.io/v1, " +
        'got the string "apiextensions.k8s.io/v1beta1"',
    );
    const { spec } = databases;
    const without = (change: object) => [{ ...databases, spec: { ...spec, ...change } }];
    const start = "Cannot read the CustomResourceDefinition databases.example.com: expected ";
    expect(() => generateDefinitions(without({ scope: "Galaxy" }))).toThrow(
      `${start}"Namespaced" or "Cluster" in spec.scope, got the string "Galaxy"`,
    );
    expect(() => generateDefinitions(without({ names: { kind: "Database" } }))).toThrow(
      `${start}a text in spec.names.plural, got undefined`,
    );
    expect(() => generateDefinitions(without({ versions: {} }))).toThrow(
      `${start}a list in spec.versions, got`,
    );
    const $ref = "#/definitions/Other";
    const versions = [
      { name: "v1", served: true, schema: { openAPIV3Schema: { properties: { spec: { $ref } } } } },
    ];
    expect(() => generateDefinitions(without({ versions }))).toThrow(
      `Cannot generate types: expected a structural schema, got ${$ref}`,
    );
  });

  test.each([
    [{ properties: { a: null } }, "an object in spec.*.properties.spec.properties.a, got null"],
    [{ properties: [] }, "an object in spec.*.properties.spec.properties, got []"],
    [{ description: 5 }, "a text in spec.*.properties.spec.description, got the number 5"],
    [{ enum: "a" }, 'a list in spec.*.properties.spec.enum, got the string "a"'],
    [{ required: [1] }, "a list of texts in spec.*.properties.spec.required, got [1]"],
    [{ items: [{}] }, "an object in spec.*.properties.spec.items, got [{}]"],
    [{ anyOf: {} }, "a list in spec.*.properties.spec.anyOf, got {}"],
    [
      { additionalProperties: "x" },
      'an object in spec.*.properties.spec.additionalProperties, got the string "x"',
    ],
  ])("reject schemas of the wrong types: %j", (spec, expected) => {
    const start = "Cannot read the CustomResourceDefinition widgets.example.com: expected ";
    const text = expected.replace("*", "versions.v1.schema.openAPIV3Schema");
    expect(() => ofSchema({ spec })).toThrow(start + text);
  });

  test("reject schemas that contain themselves, which YAML aliases allow", () => {
    const spec: { items?: object } = {};
    spec.items = spec;
    expect(() => ofSchema({ spec })).toThrow(
      "expected another schema in spec.versions.v1.schema.openAPIV3Schema.properties.spec.items, " +
        "got one that is around it",
    );
    const shared = { type: "string" };
    expect(ofSpec({ a: shared, b: shared })).toContain("b?: string");
  });

  test("treat null in a schema as absent, like a server", () => {
    const nothing = { description: null, enum: null, items: null, nullable: null, required: null };
    expect(ofSchema({ spec: { type: "string", ...nothing } })).toBe(
      ofSchema({ spec: { type: "string" } }),
    );
  });
});

/** Generates a module from a definition whose spec has these members. */
function ofSpec(
  properties: Readonly<Record<string, object>>,
  required: readonly string[] = [],
  plural = "widgets",
): string {
  return ofSchema({ spec: { type: "object", properties, required } }, plural);
}

/** Generates a module from a definition of objects with these members. */
function ofSchema(properties: Readonly<Record<string, object>>, plural = "widgets"): string {
  const schema = { openAPIV3Schema: { type: "object", properties } };
  return generateDefinitions([
    {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: `${plural}.example.com` },
      spec: {
        group: "example.com",
        scope: "Cluster",
        names: { plural, kind: "Widget" },
        versions: [{ name: "v1", served: true, schema }],
      },
    },
  ]);
}
