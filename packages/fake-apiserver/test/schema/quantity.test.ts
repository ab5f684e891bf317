import { expect, test } from "vitest";
import { canonicalQuantity, quantityNanos, roundedQuantity } from "../../src/schema/quantity.ts";

test.each([
  ["0.5", "500m"],
  ["1024Ki", "1Mi"],
  ["0.5Gi", "512Mi"],
  ["1500m", "1500m"],
  ["1000m", "1"],
  ["1073741824", "1073741824"],
  ["0.0001", "100u"],
  ["0.0000000001", "1n"],
  ["1e3", "1e3"],
  ["12e4", "120e3"],
  ["1500k", "1500k"],
  ["1.5Ki", "1536"],
  ["-2", "-2"],
  ["0Gi", "0"],
  ["100Ki", "100Ki"],
  ["0e999999999", "0"],
  ["1e-999999999", "1e-9"],
])("%s is written as %s (DEF-7)", (given, canonical) => {
  expect(canonicalQuantity(given)).toBe(canonical);
});

test("a short exponent cannot create a number that fills memory", () => {
  expect(quantityNanos("1e2000000000")).toBe((2n ** 63n - 1n) * 1_000_000_000n);
  expect(quantityNanos("-3E+99999999")).toBe(-(2n ** 63n - 1n) * 1_000_000_000n);
  expect(quantityNanos("123e-2000000000")).toBe(1n);
  expect(quantityNanos(`1e${"9".repeat(30)}`)).toBeUndefined();
});

test.each([
  ["1n", 1n],
  ["250m", 250_000_000n],
  ["007", 7_000_000_000n],
  ["2k", 2_000_000_000_000n],
  ["1E", 10n ** 27n],
  ["1Ki", 1_024_000_000_000n],
  ["512Mi", 2n ** 29n * 10n ** 9n],
  ["1.5Gi", 3n * 2n ** 29n * 10n ** 9n],
])("%s is %s billionths", (text, nanos) => {
  expect(quantityNanos(text)).toBe(nanos);
});

test.each(["", "one", "1Kb", "--1", ".", "1 Gi"])("%j is not a quantity", (text) => {
  expect(canonicalQuantity(text)).toBeUndefined();
  expect(quantityNanos(text)).toBeUndefined();
});

test.each([
  ["100m", "100m"],
  ["0.5", "0.5"],
  ["0.0001", "1m"],
  ["1500u", "2m"],
  ["-1500u", "-1m"],
  ["nothing", "nothing"],
])("%s is rounded up to thousandths: %s (DEF-7)", (quantity, rounded) => {
  expect(roundedQuantity(quantity)).toBe(rounded);
});
