/** Whether a processor works asynchronously. Looks at the value, because a function type that returns `void` may return anything. */
export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    "then" in value &&
    typeof value.then === "function"
  );
}
