import { defineResource } from "@listwatch/client";
import { type ObjectMeta, silentLog } from "@listwatch/core-fifo";
import { conversion, convertedVersion } from "@listwatch/webhooks";
import { describe, expect, expectTypeOf, test } from "vitest";
import { refusal, requestOf } from "../support/reviews.ts";

interface WidgetV1 {
  readonly metadata?: ObjectMeta;
  readonly size: string;
}
interface WidgetV2 {
  readonly metadata?: ObjectMeta;
  readonly spec: { readonly size: number };
}
interface WidgetV3 {
  readonly metadata?: ObjectMeta;
  readonly spec: { readonly dimensions: { readonly size: number } };
}

function define<T>(version: string): ReturnType<typeof defineResource<T>> {
  return defineResource<T>({
    group: "example.com",
    version,
    resource: "widgets",
    kind: "Widget",
    scope: "Namespaced",
  });
}

const v1 = convertedVersion(define<WidgetV1>("v1"), {
  toHub: ({ metadata, size }): WidgetV2 => {
    if (!/^\d+$/.test(size)) throw new Error(`size is ${size}`);
    return { metadata: metadata!, spec: { size: Number(size) } };
  },
  fromHub: ({ metadata, spec }) => ({ metadata: metadata!, size: String(spec.size) }),
});
const v3 = convertedVersion(define<WidgetV3>("v3"), {
  toHub: async ({ spec }): Promise<WidgetV2> => ({ spec: { size: spec.dimensions.size } }),
  fromHub: ({ spec }) => ({ spec: { dimensions: { size: spec.size } } }),
});
const handler = conversion({
  hub: define<WidgetV2>("v2"),
  versions: [v1, v3],
  log: silentLog,
});

const metadata = { name: "a", namespace: "shop", uid: "1", labels: { app: "a" } };
const widgetV1 = { apiVersion: "example.com/v1", kind: "Widget", metadata, size: "7" };
const widgetV2 = { apiVersion: "example.com/v2", kind: "Widget", metadata, spec: { size: 7 } };
const widgetV3 = {
  apiVersion: "example.com/v3",
  kind: "Widget",
  metadata,
  spec: { dimensions: { size: 7 } },
};

function reviewOf(desiredAPIVersion: unknown, objects: unknown): Request {
  const request = { uid: "4", desiredAPIVersion, objects };
  return requestOf({ apiVersion: "apiextensions.k8s.io/v1", kind: "ConversionReview", request });
}

async function convert(to: string, ...objects: readonly object[]): Promise<unknown> {
  const answer = await handler(reviewOf(`example.com/${to}`, objects));
  const { response } = (await answer.json()) as { readonly response: unknown };
  return response;
}

describe("a conversion handler", () => {
  test("converts objects of each version to each other one through the hub", async () => {
    const all = [widgetV1, widgetV2, widgetV3];
    const success = { uid: "4", result: { status: "Success" } };
    const three = <T>(value: T): readonly T[] => [value, value, value];
    expect(await convert("v1", ...all)).toEqual({ ...success, convertedObjects: three(widgetV1) });
    expect(await convert("v2", ...all)).toEqual({ ...success, convertedObjects: three(widgetV2) });
    expect(await convert("v3", ...all)).toEqual({ ...success, convertedObjects: three(widgetV3) });
  });

  test("names the object that cannot be converted, and converts none", async () => {
    const broken = { ...widgetV1, size: "big", metadata: { ...metadata, name: "b" } };
    expect(await convert("v3", widgetV1, broken)).toEqual({
      uid: "4",
      convertedObjects: [],
      result: {
        status: "Failure",
        message: 'Cannot convert "shop/b" from example.com/v1 to example.com/v3: size is big',
      },
    });
  });

  test("fails where a function changes the identity of an object", async () => {
    const renaming = conversion({
      hub: define<WidgetV2>("v2"),
      versions: [
        convertedVersion(define<WidgetV1>("v1"), {
          toHub: ({ size }): WidgetV2 => ({
            metadata: { name: "z" },
            spec: { size: Number(size) },
          }),
          fromHub: ({ spec }) => ({ size: String(spec.size) }),
        }),
      ],
      log: silentLog,
    });
    const answer = await renaming(reviewOf("example.com/v2", [widgetV1]));
    expect(await answer.json()).toMatchObject({
      response: {
        result: {
          status: "Failure",
          message:
            'Cannot convert "shop/a" from example.com/v1 to example.com/v2: expected metadata.name to stay the string "a", got the string "z"',
        },
      },
    });
  });

  test("gets 400 for versions that it does not know, and for what is not a list", async () => {
    const bad = "Cannot answer the review: expected";
    const known = "one of example.com/v2, example.com/v1, example.com/v3";
    expect(await refusal(handler, reviewOf("example.com/v9", []))).toEqual([
      400,
      `${bad} ${known} as request.desiredAPIVersion, got the string "example.com/v9"`,
    ]);
    expect(await refusal(handler, reviewOf("example.com/v1", [{ apiVersion: "v1" }]))).toEqual([
      400,
      `${bad} ${known} as apiVersion of each object, got the string "v1"`,
    ]);
    expect(await refusal(handler, reviewOf("example.com/v1", null))).toEqual([
      400,
      `${bad} an array of objects as request.objects, got null`,
    ]);
  });

  test("knows its path and its versions, and types its functions", () => {
    expect(handler.path).toBe("/convert/example.com/widgets");
    expect(handler.registration).toEqual({
      type: "conversion",
      group: "example.com",
      resource: "widgets",
      versions: ["v2", "v1", "v3"],
    });
    convertedVersion(define<WidgetV1>("v1"), {
      toHub: (object): WidgetV2 => {
        expectTypeOf(object.size).toEqualTypeOf<string>();
        return { spec: { size: 1 } };
      },
      fromHub: (object) => {
        expectTypeOf(object.spec.size).toEqualTypeOf<number>();
        return { size: "1" };
      },
    });
  });

  test("refuses two functions for one version, and versions of another resource", () => {
    const hub = define<WidgetV2>("v2");
    expect(() => conversion({ hub, versions: [v1, v1] })).toThrow(
      "Cannot use the option versions: expected each version once, without the hub",
    );
    const pods = { group: "", version: "v1", resource: "pods" };
    const other = convertedVersion(pods, {
      toHub: () => ({ spec: { size: 1 } }),
      fromHub: () => ({}),
    });
    expect(() => conversion({ hub, versions: [other] })).toThrow(
      "expected versions of widgets in the group example.com",
    );
  });
});
