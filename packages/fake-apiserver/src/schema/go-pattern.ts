/** More repetitions are refused (Go, regexp/syntax `maxRepeat`). */
const maxRepeat = 1000;

/** Escapes of Go that stand for one character, besides punctuation and numbers. */
const characterEscapes = "afnrtv";

/** Escapes of Go that stand for many characters. */
const classEscapes = "dDsSwW";

/** Escapes of Go that have a meaning outside of classes only. */
const outerEscapes = "AbBz";

const posixClasses: ReadonlySet<string> = new Set([
  "alnum",
  "alpha",
  "ascii",
  "blank",
  "cntrl",
  "digit",
  "graph",
  "lower",
  "print",
  "punct",
  "space",
  "upper",
  "word",
  "xdigit",
]);

/**
 * Why Go refuses a regular expression that JavaScript may take: lookaround, backreferences, escapes
 * and groups that it does not know, brackets that do not close, too many repetitions. In Go's own
 * words (Go 1.26 `regexp.Compile`); `undefined` for an expression with none of these faults. Not
 * looked for: quantifiers without an argument and ranges that go backwards, which JavaScript
 * refuses too, names of scripts, and repetitions within repetitions.
 */
export function goPatternProblem(pattern: string): string | undefined {
  const problem = new GoPatternScan(pattern).problem();
  return problem === undefined ? undefined : `error parsing regexp: ${problem}`;
}

/**
 * One pass over a pattern; every method reads what begins at the present place, and returns what is
 * wrong with it.
 */
class GoPatternScan {
  readonly #pattern: string;
  #at = 0;
  #openGroups = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  problem(): string | undefined {
    while (this.#at < this.#pattern.length) {
      const problem = this.#part();
      if (problem !== undefined) return problem;
    }
    return this.#openGroups === 0 ? undefined : fault("missing closing )", this.#pattern);
  }

  #part(): string | undefined {
    switch (this.#pattern.charAt(this.#at)) {
      case "\\":
        return this.#outerEscape();
      case "[":
        return this.#class();
      case "(":
        this.#openGroups++;
        return this.#group();
      case ")":
        this.#at++;
        return this.#openGroups-- === 0 ? fault("unexpected )", this.#pattern) : undefined;
      case "{":
        return this.#repeat();
      default:
        this.#at++;
        return undefined;
    }
  }

  #group(): string | undefined {
    const named = this.#match(/\(\?P?<(?<name>[^>]*)(?<end>>?)/y);
    if (named !== undefined && this.#pattern.length > this.#at + 3) {
      const { name = "", end } = named.groups ?? {};
      if (end === "") return fault("invalid named capture", this.#pattern.slice(this.#at));
      if (!/^\w+$/.test(name)) return fault("invalid named capture", named[0]);
      return this.#skip(named[0]);
    }
    if (this.#match(/\(\?/y) === undefined) return this.#skip("(");
    const flags = this.#match(/\(\?[imsU]*(?:-[imsU]+)?(?<end>[:)])/y);
    if (flags === undefined) {
      const read = this.#match(/\(\?[imsU]*(?:-[imsU]*)?.?/suy)?.[0] ?? "";
      return fault("invalid or unsupported Perl syntax", read);
    }
    if (flags.groups?.["end"] === ")") this.#openGroups--;
    return this.#skip(flags[0]);
  }

  #class(): string | undefined {
    const start = this.#at;
    this.#skip(this.#match(/\[\^?\]?/y)?.[0] ?? "");
    for (let next = this.#pattern[this.#at]; next !== "]"; next = this.#pattern[this.#at]) {
      if (next === undefined) return fault("missing closing ]", this.#pattern.slice(start));
      if (next === "\\") {
        const problem = this.#escape(classEscapes);
        if (problem !== undefined) return problem;
      } else {
        const posix = this.#match(/\[:\^?(?<name>[^\]]*?):\]/y);
        if (posix !== undefined && !posixClasses.has(posix.groups?.["name"] ?? "")) {
          return fault("invalid character class range", posix[0]);
        }
        this.#skip(posix?.[0] ?? next);
      }
    }
    return this.#skip("]");
  }

  #outerEscape(): string | undefined {
    const quoted = this.#match(/\\Q.*?(?:\\E|$)/sy);
    if (quoted !== undefined) return this.#skip(quoted[0]);
    return this.#escape(classEscapes + outerEscapes);
  }

  /** @param letters what may follow the backslash besides a character's own escapes */
  #escape(letters: string): string | undefined {
    const escape = this.#match(/\\./suy)?.[0];
    if (escape === undefined) return fault("trailing backslash at end of expression", "");
    const named = this.#match(/\\[pP](?:\{[^}]*\}?|.?)/suy);
    if (named !== undefined) {
      return /^..(?:[CLMNPSZ]|\{\^?[A-Za-z_]+\})$/.test(named[0])
        ? this.#skip(named[0])
        : fault("invalid character class range", named[0]);
    }
    const letter = escape.slice(1);
    const isPunctuation = /[^\p{L}\p{N}]/u.test(letter) && letter < "\u0080";
    if (isPunctuation || `${characterEscapes}${letters}`.includes(letter)) {
      return this.#skip(escape);
    }
    // One digit alone would be a backreference, unless it is 0.
    const number = this.#match(
      /\\(?:0[0-7]{0,2}|[1-7][0-7]{1,2}|x[0-9A-Fa-f]{2}|x\{[0-9A-Fa-f]+\})/y,
    );
    if (number !== undefined) return this.#skip(number[0]);
    const read = this.#match(/\\x(?:\{[0-9A-Fa-f]*.?|.{0,2})/suy)?.[0] ?? escape;
    return fault("invalid escape sequence", read);
  }

  #repeat(): string | undefined {
    const repeat = this.#match(/\{(?<least>\d+)(?:,(?<most>\d*))?\}/y);
    if (repeat === undefined) return this.#skip("{");
    const { least, most } = repeat.groups ?? {};
    const isTooMuch = Number(least) > maxRepeat || Number(most ?? 0) > maxRepeat;
    const isBackwards = most !== undefined && most !== "" && Number(most) < Number(least);
    return isTooMuch || isBackwards
      ? fault("invalid repeat count", repeat[0])
      : this.#skip(repeat[0]);
  }

  /** What a sticky expression finds at the present place. */
  #match(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at;
    return expression.exec(this.#pattern) ?? undefined;
  }

  #skip(text: string): undefined {
    this.#at += text.length;
    return undefined;
  }
}

function fault(what: string, where: string): string {
  return `${what}: \`${where}\``;
}
