import { generateDefinitions } from "@listwatch/resources/generator";
import { describe, expect, test } from "vitest";
import { databases, defaults, scales } from "./every-construct.ts";

/** The file that the type tests compile on every compiler. */
const golden = "../../../../tests/types/programs/custom-resources.generated.ts";

describe("types of custom resources", () => {
  test("are what they were (TGEN-1, TGEN-2, TGEN-3, TGEN-4, TGEN-5)", async () => {
    await expect(generateDefinitions([databases, scales, defaults])).toMatchFileSnapshot(golden);
  });

  test("do not depend on the order of the documents, nor on how they are listed (TGEN-1)", () => {
    const source = generateDefinitions([databases, scales, defaults]);
    const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "web" } };
    expect(generateDefinitions([defaults, pod, scales, null, databases])).toBe(source);
    const list = { apiVersion: "v1", kind: "List", items: [databases, scales, pod, defaults] };
    expect(generateDefinitions([list])).toBe(source);
    const { apiVersion } = databases;
    const kind = "CustomResourceDefinitionList";
    // As a server sends them: the items do not say what they are.
    const items = [databases, scales, defaults].map(({ metadata, spec }) => ({ metadata, spec }));
    expect(generateDefinitions([{ apiVersion, kind, items }])).toBe(source);
    expect(generateDefinitions([databases, databases, scales, defaults])).toBe(source);
  });

  test("import from the package with all layers, if it is wanted", () => {
    const source = generateDefinitions([databases], { imports: "listwatch" });
    expect(source.match(/ from "(.*)";/g)).toEqual([
      ' from "listwatch";',
      ' from "listwatch/resources/autoscaling/v1";',
      ' from "listwatch/resources/meta/v1";',
    ]);
  });

  test("take members that are named as those of every object, and no identifiers", () => {
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

  test("have each value of an enum once, null as well", () => {
    const source = ofSpec({
      first: { type: "string", nullable: true, enum: [null, "x"] },
      last: { type: "string", nullable: true, enum: ["x", null] },
      none: { type: "integer", nullable: true, enum: [1, 2, 1] },
    });
    expect(source).toContain('  first?: null | "x" | undefined;\n');
    expect(source).toContain('  last?: "x" | null | undefined;\n');
    expect(source).toContain("  none?: 1 | 2 | null | undefined;\n");
  });

  test("have elements and values that may be null (TGEN-4)", () => {
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

  test("know a number or a text in each form that definitions give it", () => {
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

  test("give constants names that no module keeps for itself", () => {
    for (const plural of ["exports", "require", "class", "default"]) {
      expect(ofSpec({}, [], plural)).toContain(`export const ${plural}_: Resource<Widget,`);
    }
  });

  test("need a definition", () => {
    expect(() => generateDefinitions([{ kind: "Pod" }, 7])).toThrow(
      "Cannot generate types: expected a CustomResourceDefinition, got 2 documents without one",
    );
  });

  test("can be those of some groups, in lists as well", () => {
    const list = { apiVersion: "v1", kind: "List", items: [databases] };
    expect(generateDefinitions([list], { groups: ["example.com"] })).toBe(
      generateDefinitions([databases]),
    );
    expect(() => generateDefinitions([list], { groups: ["a.org", "b.org"] })).toThrow(
      "Cannot generate types: expected a CustomResourceDefinition of the group a.org or b.org, " +
        "got those of example.com",
    );
  });

  test("need definitions of the present version, and whole ones", () => {
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
  ])("need schemas of the right types: %j", (spec, expected) => {
    const start = "Cannot read the CustomResourceDefinition widgets.example.com: expected ";
    const text = expected.replace("*", "versions.v1.schema.openAPIV3Schema");
    expect(() => ofSchema({ spec })).toThrow(start + text);
  });

  test("need schemas that are not in themselves, as aliases in YAML can be", () => {
    const spec: { items?: object } = {};
    spec.items = spec;
    expect(() => ofSchema({ spec })).toThrow(
      "expected another schema in spec.versions.v1.schema.openAPIV3Schema.properties.spec.items, " +
        "got one that is around it",
    );
    const shared = { type: "string" };
    expect(ofSpec({ a: shared, b: shared })).toContain("b?: string");
  });

  test("take null in a schema for nothing, as a server does", () => {
    const nothing = { description: null, enum: null, items: null, nullable: null, required: null };
    expect(ofSchema({ spec: { type: "string", ...nothing } })).toBe(
      ofSchema({ spec: { type: "string" } }),
    );
  });
});

/** The module of a definition whose spec has these members. */
function ofSpec(
  properties: Readonly<Record<string, object>>,
  required: readonly string[] = [],
  plural = "widgets",
): string {
  return ofSchema({ spec: { type: "object", properties, required } }, plural);
}

/** The module of a definition of objects with these members. */
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
