import type { Demonstrations } from "./demonstrations.ts";

/** A key of the view: what it does in a word for the last line, and in a sentence for the help. */
export interface KeyAction {
  readonly key: string;
  readonly label: string;
  readonly help: string;
  /** False for what cannot be done here; the key says why. */
  readonly isHere: boolean;
  /** Whether what the key switches is on. */
  readonly isOn?: (() => boolean) | undefined;
  run(): void;
}

/** The keys that break and strain things. */
export function faultKeys(demonstrations: Demonstrations): readonly KeyAction[] {
  const { hasOwnCluster } = demonstrations;
  return [
    {
      key: "d",
      label: "drop",
      help: "break the connection of the watch; it comes back and catches up",
      isHere: true,
      run: () => demonstrations.dropConnection(),
    },
    {
      key: "c",
      label: "compact",
      help: "compact the server's history: the watch is refused with 410, and lists again",
      isHere: hasOwnCluster,
      run: () => demonstrations.compactHistory(),
    },
    {
      key: "s",
      label: "429",
      help: "a storm: for 5 s lists and watches are refused with 429 Too Many Requests",
      isHere: hasOwnCluster,
      run: () => void demonstrations.storm(),
    },
    {
      key: "l",
      label: "latency",
      help: "a slow network: requests and answers take 800 ms longer; again to end it",
      isHere: true,
      isOn: () => demonstrations.isLatencyOn,
      run: () => void demonstrations.toggleLatency(),
    },
    {
      key: "h",
      label: "slow",
      help: "a slow handler: audit takes 700 ms an event, its mailbox grows, the others go on",
      isHere: true,
      isOn: () => demonstrations.isHandlerSlow,
      run: () => void demonstrations.toggleSlowHandler(),
    },
    {
      key: "b",
      label: "burst",
      help: "many pods at once; they go a few seconds later",
      isHere: true,
      run: () => void demonstrations.burst(),
    },
    {
      key: "m",
      label: "50,000",
      help: "50,000 pods through the watch, which takes half a minute; again to remove them",
      isHere: hasOwnCluster,
      run: () => void demonstrations.toggleManyPods(),
    },
  ];
}
