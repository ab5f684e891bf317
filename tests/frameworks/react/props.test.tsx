import { act, StrictMode, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import type { Informer } from "listwatch";
import type { Pod } from "listwatch/resources/core/v1";
import { expect, test, vi } from "vitest";
import { useIndex, useInformer, useObject } from "./hooks.ts";
import { objectsOf } from "./objects-of.ts";
import { spec, startInformer } from "./start-informer.ts";

/** Longer than anything here takes on a machine that does much else. */
const limitMs = 300_000;

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

interface Props {
  readonly informer: Informer<Pod, { namespace: string }>;
  readonly name: string;
  readonly namespace: string;
}

function Counts({ informer, name, namespace }: Props) {
  const all = useInformer(informer);
  const some = useIndex(informer, "namespace", namespace);
  const one = useObject(informer, `default/${name}`);
  return `${all.length} in all, ${some.length} in ${namespace}, ${one?.metadata.name ?? "none"}`;
}

let renders = 0;
function Name({ informer, name }: Omit<Props, "namespace">) {
  renders++;
  return useObject(informer, `default/${name}`)?.metadata.name ?? "none";
}

function createPage() {
  const page = document.createElement("div");
  const root = createRoot(page);
  return {
    page,
    render: (node: ReactNode) => {
      act(() => {
        root.render(<StrictMode>{node}</StrictMode>);
      });
    },
    close: () => {
      act(() => {
        root.unmount();
      });
    },
  };
}

const nextFrame = () => act(() => new Promise(requestAnimationFrame));

/** Lets React render until the expectation holds. */
const until = (expectation: () => void) => act(() => vi.waitFor(expectation, limitMs));

test("follows another informer, index value and key at once", async () => {
  const one = await startInformer();
  const two = await startInformer();
  await two.client.create({ metadata: { name: "web-1" }, spec });
  await vi.waitFor(() => {
    expect(two.informer.store.size).toBe(2);
  }, limitMs);
  const { close, page, render } = createPage();
  render(<Counts informer={one.informer} namespace="default" name="web-0" />);
  expect(page.textContent).toBe("1 in all, 1 in default, web-0");
  render(<Counts informer={one.informer} namespace="other" name="web-1" />);
  expect(page.textContent).toBe("1 in all, 0 in other, none");
  render(<Counts informer={two.informer} namespace="default" name="web-1" />);
  expect(page.textContent).toBe("2 in all, 2 in default, web-1");

  // A frame may come, and React render, while the request waits for its answer.
  await act(() => two.client.delete("web-1"));
  await until(() => {
    expect(page.textContent).toBe("1 in all, 1 in default, none");
  });
  expect(one.informer.status().handlers).toEqual([]);
  close();
  await one.stop();
  await two.stop();
});

test("does not render for a change of other objects", async () => {
  const { client, informer, stop } = await startInformer();
  const { close, render } = createPage();
  render(<Name informer={informer} name="web-0" />);
  await nextFrame();
  const frame = vi.spyOn(globalThis, "requestAnimationFrame");
  const before = renders;
  await act(() => client.create({ metadata: { name: "web-1" }, spec }));
  await until(() => {
    expect(frame).toHaveBeenCalled();
  });
  await nextFrame();
  expect(renders).toBe(before);
  frame.mockRestore();
  close();
  await stop();
});

test("shows each subscriber what was added before it subscribed", async () => {
  const { client, informer, stop } = await startInformer();
  const { snapshot, subscribe } = objectsOf(informer);
  await client.create({ metadata: { name: "web-1" }, spec });
  await vi.waitFor(() => {
    expect(informer.store.size).toBe(2);
  }, limitMs);
  const seen: number[] = [];
  const ends = [0, 1].map((index) =>
    subscribe(() => {
      seen[index] = snapshot().length;
    }),
  );
  await vi.waitFor(() => {
    expect(seen).toEqual([2, 2]);
  }, limitMs);
  for (const end of ends) end();
  await stop();
});
