// Above both, what was computed is forgotten: a server meets few different short texts again and
// again, and must not grow with those that it meets once.
const mostTexts = 4096;
const longestText = 64;

/**
 * A function of texts that remembers its latest results.
 *
 * @param compute gives the same for the same text; `undefined` is computed again
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
