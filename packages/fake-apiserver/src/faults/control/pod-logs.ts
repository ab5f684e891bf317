import type {
  LoggedContainer,
  PodControl,
  PodLog,
  PodLogRequest,
  PodLogSource,
} from "../../control/pods.ts";

/** The logs of pods: fixed strings, and a function for all others. */
export class PodLogs implements PodControl {
  readonly #texts = new Map<string, string>();
  #source: PodLogSource = () => "";

  log(source: PodLogSource): void {
    this.#source = source;
  }

  setLog({ container = "", name, namespace = "default" }: LoggedContainer, text: string): void {
    this.#texts.set(`${namespace}/${name}/${container}`, text);
  }

  /** Returns the log that a request asks for. */
  async readLog(request: PodLogRequest): Promise<PodLog> {
    const { container, options, pod } = request;
    const { name = "", namespace = "" } = pod.metadata;
    const prefix = `${namespace}/${name}/`;
    const text = this.#texts.get(prefix + container) ?? this.#texts.get(prefix);
    return text === undefined ? this.#source(request) : lastLines(text, options.tailLines);
  }
}

function lastLines(text: string, count: number | undefined): string {
  if (count === undefined) return text;
  const lines = text.split("\n");
  // No further line follows the last line break.
  if (lines.at(-1) === "") lines.pop();
  const kept = lines.slice(Math.max(0, lines.length - count));
  return kept.map((line) => `${line}\n`).join("");
}
