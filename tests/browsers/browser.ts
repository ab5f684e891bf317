/** A browser with one page. */
export interface Browser extends AsyncDisposable {
  /** With its version. */
  readonly name: string;
  /** Opens an address, and waits until it is loaded. */
  goto(url: string): Promise<void>;
  /** Runs the body of a function on the page, with arguments, and returns what it returns. */
  evaluate(body: string, ...args: readonly unknown[]): Promise<unknown>;
}
