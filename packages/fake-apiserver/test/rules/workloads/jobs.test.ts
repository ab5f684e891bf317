import { describe, expect, test } from "vitest";
import { rulesOfKind } from "../../support/object-rules.ts";
import { template } from "../../support/valid-specs.ts";

const jobs = rulesOfKind("Job");
const pods = template({ restartPolicy: "Never" });
const errorsOf = (spec: object) => jobs.ofNew({ spec: { template: pods, ...spec } });
const changeOf = (spec: object, stored: object = {}) =>
  jobs.ofChange({ spec: { template: pods, ...spec } }, { spec: { template: pods, ...stored } });

describe("a Job", () => {
  test("gets a generated selector", () => {
    expect(errorsOf({})).toEqual([]);
    const [labels, selector, ...others] = errorsOf({
      selector: { matchLabels: { z: "z" } },
    }).toSorted((left, right) => left.length - right.length);
    expect(labels).toMatch(/^spec\.selector: .*: `selector` not auto-generated$/);
    expect(selector).toMatch(/^spec\.template\.metadata\.labels: .* does not match template/);
    expect(others).toEqual([]);
  });

  test("requires matching labels, or a manual selector", () => {
    const labels = { "job-name": "other" };
    const labelled = { ...pods, metadata: { labels } };
    expect(errorsOf({ template: labelled })).toEqual([
      expect.stringMatching(
        /^spec\.template\.metadata\.labels\[job-name\]: Invalid value: .*: must be 'x'$/,
      ),
    ]);
    const selector = { matchLabels: labels };
    expect(errorsOf({ manualSelector: true, selector, template: labelled })).toEqual([]);
    expect(errorsOf({ manualSelector: true })).toContain("spec.selector: Required value");
  });

  test("requires a restart policy other than Always (VAL-9)", () => {
    expect(errorsOf({ template: template() })).toEqual([
      'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
    ]);
  });

  test.each([
    [
      { completions: -1, parallelism: -2, backoffLimit: -3 },
      [
        "spec.parallelism: Invalid value: -2: must be greater than or equal to 0",
        "spec.completions: Invalid value: -1: must be greater than or equal to 0",
        "spec.backoffLimit: Invalid value: -3: must be greater than or equal to 0",
      ],
    ],
    [
      { completionMode: "X" },
      ['spec.completionMode: Unsupported value: "X": supported values: "NonIndexed", "Indexed"'],
    ],
    [
      { completionMode: "Indexed", parallelism: 2 },
      ["spec.completions: Required value: when completion mode is Indexed"],
    ],
    [
      { backoffLimitPerIndex: 1 },
      ["spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode"],
    ],
    [
      { backoffLimitPerIndex: 1, completionMode: "" },
      ['spec.completionMode: Unsupported value: "": supported values: "NonIndexed", "Indexed"'],
    ],
    [
      { podReplacementPolicy: "" },
      [
        'spec.podReplacementPolicy: Unsupported value: "": supported values: "Failed", "TerminatingOrFailed"',
      ],
    ],
    [
      { completionMode: "Indexed", completions: -1, parallelism: 1 },
      ["spec.completions: Invalid value: -1: must be greater than or equal to 0"],
    ],
    [
      {
        completionMode: "Indexed",
        completions: 100_001,
        parallelism: 10_001,
        backoffLimitPerIndex: 1,
      },
      [
        "spec.maxFailedIndexes: Required value: must be specified when completions is above 100000",
        "spec.parallelism: Invalid value: 10001: must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index",
      ],
    ],
    [
      {
        manualSelector: true,
        selector: { matchLabels: { a: "a/b" } },
        template: { ...pods, metadata: { labels: { a: "a" } } },
      },
      [expect.stringMatching(/^spec\.selector\.matchLabels: Invalid value: "a\/b": a valid label/)],
    ],
  ])("%o (VAL-6)", (spec, errors) => {
    expect(errorsOf(spec)).toEqual(errors);
  });

  test("has immutable completions, template and mode (VAL-11)", () => {
    expect(changeOf({ parallelism: 4, suspend: true, backoffLimit: 1 })).toEqual([
      // Unless the parallelism is set, missing completions default to 1.
      "spec.completions: Invalid value: null: field is immutable",
    ]);
    expect(changeOf({ completions: 3 }, { completions: 2 })).toEqual([
      "spec.completions: Invalid value: 3: field is immutable",
    ]);
    expect(changeOf({ completions: 2, completionMode: "Indexed" }, { completions: 2 })).toEqual([
      'spec.completionMode: Invalid value: "Indexed": field is immutable',
    ]);
    const other = template({ restartPolicy: "Never", nodeName: "n" });
    expect(changeOf({ template: other })).toEqual([
      expect.stringMatching(/^spec\.template: Invalid value: .*: field is immutable$/),
    ]);
  });

  test("with indexed pods is scaled through both fields (VAL-11)", () => {
    const size = (completions: number, parallelism = completions) => ({
      completionMode: "Indexed",
      completions,
      parallelism,
    });
    expect(changeOf(size(4), size(2))).toEqual([]);
    expect(changeOf(size(4), size(2, 1))).toEqual([]);
    const unset = { completionMode: "Indexed", parallelism: 2 };
    expect(changeOf(unset, size(2))).toEqual([
      "spec.completions: Required value: when completion mode is Indexed",
    ]);
    expect(changeOf(size(4, 2), size(2))).toEqual([
      "spec.completions: Invalid value: 4: can only be modified in tandem with spec.parallelism",
    ]);
  });

  test("may change its scheduling while it is suspended", () => {
    const placed = template({ restartPolicy: "Never", nodeSelector: { disk: "ssd" } });
    expect(changeOf({ suspend: true, template: placed }, { suspend: true })).toEqual([]);
    expect(changeOf({ template: placed })).toHaveLength(1);
    const terms = (name: string) => ({ [name]: {} });
    const close = template({ restartPolicy: "Never", affinity: terms("nodeAffinity") });
    expect(changeOf({ suspend: true, template: close }, { suspend: true })).toEqual([]);
    const apart = template({ restartPolicy: "Never", affinity: terms("podAffinity") });
    expect(changeOf({ suspend: true, template: apart }, { suspend: true })).toEqual([
      expect.stringMatching(/^spec\.template\.spec: Invalid value: .*: field is immutable$/),
    ]);
  });

  test("may change the resources of its containers while it is suspended", () => {
    const container = { name: "c", image: "i", resources: { limits: { cpu: "1" } } };
    const of = (containers: object[]) => template({ restartPolicy: "Never", containers });
    const change = (one: object, status: object) =>
      jobs.ofChange(
        { spec: { suspend: true, template: of([{ ...container, ...one }]) } },
        { spec: { suspend: true, template: of([container]) }, status },
      );
    const more = { resources: { limits: { cpu: "2" } } };
    expect(change(more, {})).toEqual([]);
    expect(change({ image: "j" }, {})).toHaveLength(1);
    expect(change(more, { active: 1 })).toHaveLength(1);
    expect(change(more, { startTime: "2026-01-01T00:00:00Z" })).toHaveLength(1);
    const conditions = [{ type: "Suspended", status: "True" }];
    expect(change(more, { conditions, startTime: "2026-01-01T00:00:00Z" })).toEqual([]);
  });
});

describe("a CronJob", () => {
  const cronErrors = (spec: object, name = "x") =>
    rulesOfKind("CronJob").ofNew({
      metadata: { name },
      spec: { schedule: "* * * * *", jobTemplate: { spec: { template: pods } }, ...spec },
    });

  test.each(["* * * * *", "*/5 0-12 1,15 jan-mar mon", "5/10 * ? * 0", "@hourly", "@every 1h30m"])(
    "may have the schedule %s",
    (schedule) => {
      expect(cronErrors({ schedule })).toEqual([]);
    },
  );

  test.each([
    ["nope", "expected exactly 5 fields, found 1: [nope]"],
    ["every day", "expected exactly 5 fields, found 2: [every day]"],
    ["60 * * * *", "end of range (60) above maximum (59): 60"],
    ["* * 0 * *", "beginning of range (0) below minimum (1): 0"],
    ["5-3 * * * *", "beginning of range (5) beyond end of range (3): 5-3"],
    ["*/0 * * * *", "step of range should be a positive number: */0"],
    ["1-2-3 * * * *", "too many hyphens: 1-2-3"],
    ["1/2/3 * * * *", "too many slashes: 1/2/3"],
    ["x * * * *", 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
    ["@often", "unrecognized descriptor: @often"],
    ["@every x", 'failed to parse duration @every x: time: invalid duration "x"'],
    ["TZ=UTC * * * * *", "cannot use TZ or CRON_TZ in schedule, use timeZone field instead"],
  ])("may not have the schedule %s", (schedule, problem) => {
    expect(cronErrors({ schedule })).toEqual([
      `spec.schedule: Invalid value: ${JSON.stringify(schedule)}: ${problem}`,
    ]);
  });

  test.each([
    [{ schedule: "" }, "spec.schedule: Required value"],
    [
      { timeZone: "Nowhere/None" },
      'spec.timeZone: Invalid value: "Nowhere/None": unknown time zone Nowhere/None',
    ],
    [
      { timeZone: "Local" },
      'spec.timeZone: Invalid value: "Local": timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones',
    ],
    [
      { concurrencyPolicy: "X" },
      'spec.concurrencyPolicy: Unsupported value: "X": supported values: "Allow", "Forbid", "Replace"',
    ],
    [
      { startingDeadlineSeconds: -1 },
      "spec.startingDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0",
    ],
    [
      { jobTemplate: { spec: { template: pods, selector: { matchLabels: { a: "b" } } } } },
      'spec.jobTemplate.spec.selector: Invalid value: {"matchLabels":{"a":"b"}}: `selector` will be auto-generated',
    ],
  ])("%o (VAL-4, VAL-6)", (spec, error) => {
    expect(cronErrors(spec)).toEqual([error]);
  });

  test("has a short name, so that its jobs' names fit", () => {
    const name = "n".repeat(53);
    expect(cronErrors({}, name)).toEqual([
      `metadata.name: Invalid value: "${name}": must be no more than 52 characters`,
    ]);
  });
});
