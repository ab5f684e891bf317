declare module "virtual:layers" {
  /** As `Layers` describes. */
  const layers: {
    readonly names: Readonly<Record<string, string>>;
    readonly types: readonly string[];
    readonly modules: Readonly<Record<string, string>>;
  };
  export default layers;
}

declare module "virtual:declarations" {
  type Load = () => Promise<{ readonly default: Readonly<Record<string, string>> }>;
  /** The declaration file of each module. */
  export const entries: Readonly<Record<string, string>>;
  /** The parts of the declarations that each module needs. */
  export const needs: Readonly<Record<string, readonly string[]>>;
  export const loaders: Readonly<Record<string, Load>>;
  export const loadLibrary: Load;
}
