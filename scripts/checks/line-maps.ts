/**
 * Source maps with the first position of each line of the source, and without the names of
 * variables: half of a package's maps are the positions inside of lines, which stack traces show
 * and breakpoints need only roughly.
 */

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const continues = 32;
const bits = 5;

interface SourceMap {
  readonly mappings: string;
  readonly names: readonly string[];
}

/** Source, line and column, as in a map: each but the column of the output since the last one. */
interface Place {
  readonly source: number;
  readonly line: number;
  readonly column: number;
}

/** Returns the text of a source map with one position for each line of the source. */
export function lineMap(text: string): string {
  const map = JSON.parse(text) as SourceMap;
  return JSON.stringify({ ...map, mappings: firstOfLines(map.mappings), names: [] });
}

function firstOfLines(mappings: string): string {
  let read: Place = { source: 0, line: 0, column: 0 };
  let written = read;
  const lines = mappings.split(";").map((line) => {
    let at = 0;
    let writtenAt = 0;
    let last: Place | undefined;
    const kept: string[] = [];
    for (const segment of line === "" ? [] : line.split(",")) {
      const [output = 0, source, row = 0, column = 0] = decode(segment);
      at += output;
      if (source === undefined) continue;
      read = { source: read.source + source, line: read.line + row, column: read.column + column };
      if (last?.source === read.source && last.line === read.line) continue;
      last = read;
      const steps = [read.source - written.source, read.line - written.line];
      kept.push(encode([at - writtenAt, ...steps, read.column - written.column]));
      writtenAt = at;
      written = read;
    }
    return kept.join(",");
  });
  return lines.join(";");
}

/** Reads numbers in the variable length code of source maps. */
function decode(segment: string): number[] {
  const numbers: number[] = [];
  let value = 0;
  let shift = 0;
  for (const letter of segment) {
    const digit = letters.indexOf(letter);
    value += (digit & (continues - 1)) << shift;
    shift += bits;
    if ((digit & continues) !== 0) continue;
    numbers.push(value & 1 ? -(value >> 1) : value >> 1);
    value = 0;
    shift = 0;
  }
  return numbers;
}

function encode(numbers: readonly number[]): string {
  let text = "";
  for (const number of numbers) {
    let rest = number < 0 ? (-number << 1) | 1 : number << 1;
    do {
      const digit = rest & (continues - 1);
      rest >>= bits;
      text += letters.charAt(rest > 0 ? digit | continues : digit);
    } while (rest > 0);
  }
  return text;
}
