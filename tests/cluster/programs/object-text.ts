/** Serializes an object with sorted members. */
export function objectText(object: unknown): string {
  return JSON.stringify(object, (_, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}
