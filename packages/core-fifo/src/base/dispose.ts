/** The symbol of `await using`, which {@link present} sees to. */
export const asyncDispose: typeof Symbol.asyncDispose = present("asyncDispose");

/** The symbol of `using`, which {@link present} sees to. */
export const dispose: typeof Symbol.dispose = present("dispose");

/**
 * A symbol that Safari has not yet (26.0). There `Symbol` gets it, so that programs can name it: it
 * is the one that compilers of `using` look for.
 */
function present<Name extends "asyncDispose" | "dispose">(name: Name): SymbolConstructor[Name] {
  // Where the symbol is missing, the types of the language promise too much.
  const known: symbol | undefined = Symbol[name];
  // Changes nothing, and throws nothing, where `Symbol` is frozen.
  if (known === undefined) {
    Reflect.defineProperty(Symbol, name, { value: Symbol.for(`Symbol.${name}`) });
  }
  return Symbol[name];
}
