// A server sees few short strings repeatedly, and must not grow with those that it sees once.
const mostTexts = 4096;
const longestText = 64;

/**
 * Memoizes a function of strings.
 *
 * @param compute a pure function; `undefined` is not remembered
 */
export function remembered<V>(compute: (text: string) => V): (text: string) => V {
  const known = new Map<string, V>();
  return (text) => {
    let value = known.get(text);
    if (value === undefined) {
      value = compute(text);
      if (text.length > longestText) return value;
      if (known.size >= mostTexts) known.clear();
      known.set(text, value);
    }
    return value;
  };
}
