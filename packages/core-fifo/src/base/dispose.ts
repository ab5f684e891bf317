/**
 * Adds the symbols of `using` to `Symbol` where they are missing, as in Safari 26.0. Compilers of
 * `using` look for these. Call it in a module before a class that uses them.
 */
export function provideDispose(): void {
  provide("dispose");
  provide("asyncDispose");
}

function provide(name: "asyncDispose" | "dispose"): void {
  if (name in Symbol) return;
  // Does nothing if `Symbol` is frozen.
  Reflect.defineProperty(Symbol, name, { value: Symbol.for(`Symbol.${name}`) });
}
