import type { IndexValues, Informer } from "listwatch";
import type { Pod } from "listwatch/resources/core/v1";
import { useInformer } from "./hooks.ts";
import { useProblem } from "./use-problem.ts";

export function PodsTable({ informer }: { readonly informer: Informer<Pod, IndexValues> }) {
  const pods = useInformer(informer);
  const problem = useProblem(informer);
  return (
    <>
      {problem !== undefined && <p role="status">Reconnecting ({problem}). This may be old.</p>}
      <ul>
        {pods.map(({ metadata, status }) => (
          <li key={metadata.uid}>
            {metadata.name} {status.phase}
          </li>
        ))}
      </ul>
    </>
  );
}
