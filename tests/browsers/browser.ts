/** A browser with one page. */
export interface Browser extends AsyncDisposable {
  /** Name and version. */
  readonly name: string;
  /** Opens an address and waits until the page is loaded. */
  goto(url: string): Promise<void>;
  /** Runs the body of a function on the page with these arguments, and returns its result. */
  evaluate(body: string, ...args: readonly unknown[]): Promise<unknown>;
}
