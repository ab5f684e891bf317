/**
 * Gives `Symbol` the symbols of `using` where they are missing, as in Safari (26.0): those that
 * compilers of `using` look for. To be called in a module before a class that has them.
 */
export function provideDispose(): void {
  provide("dispose");
  provide("asyncDispose");
}

function provide(name: "asyncDispose" | "dispose"): void {
  if (name in Symbol) return;
  // Does nothing, and throws nothing, where `Symbol` is frozen.
  Reflect.defineProperty(Symbol, name, { value: Symbol.for(`Symbol.${name}`) });
}
