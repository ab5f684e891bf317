import { act, type ReactNode, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, expect, test, vi } from "vitest";
import { objectsOf } from "./objects-of.ts";
import { PodsTable } from "./pods-table.tsx";
import { spec, startInformer } from "./start-informer.ts";

/** Longer than anything here takes on a machine that does much else. */
const limitMs = 300_000;

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0).toReversed()) end();
});

function render(node: ReactNode): HTMLElement {
  const element = document.createElement("div");
  const root = createRoot(element);
  act(() => {
    root.render(<StrictMode>{node}</StrictMode>);
  });
  ends.push(() => {
    act(() => {
      root.unmount();
    });
  });
  return element;
}

/** Lets React render until the expectation holds. */
async function until(expectation: () => void): Promise<void> {
  await act(() => vi.waitFor(expectation, limitMs));
}

test("shows pods as they are added, changed and deleted", async () => {
  const { client, informer, stop } = await startInformer();
  const page = render(<PodsTable informer={informer} />);
  await until(() => {
    expect(page.textContent).toBe("web-0 Pending");
  });
  await client.create({ metadata: { name: "web-1" }, spec });
  await until(() => {
    expect(page.textContent).toBe("web-0 Pendingweb-1 Pending");
  });
  await client.delete("web-0");
  await until(() => {
    expect(page.textContent).toBe("web-1 Pending");
  });
  await stop();
});

test("renders once for all changes before a frame, and not after unmounting", async () => {
  const { client, informer, stop } = await startInformer();
  const frames = new Map<number, () => void>();
  let last = 0;
  vi.stubGlobal("requestAnimationFrame", (callback: () => void) => {
    frames.set(++last, callback);
    return last;
  });
  vi.stubGlobal("cancelAnimationFrame", (frame: number) => frames.delete(frame));
  const { snapshot, subscribe } = objectsOf(informer);
  let renders = 0;
  const unsubscribe = subscribe(() => renders++);
  for (let index = 1; index <= 50; index++) {
    await client.create({ metadata: { name: `web-${index}` }, spec });
  }
  await vi.waitFor(() => {
    expect(informer.store.size).toBe(51);
    expect(informer.status().handlers[0]?.backlog).toBe(0);
  }, limitMs);
  expect([frames.size, renders, snapshot().length]).toEqual([1, 0, 1]);
  frames.get(1)!();
  expect([renders, snapshot().length]).toEqual([1, 51]);
  expect(snapshot()).toBe(snapshot());

  await client.delete("web-50");
  await vi.waitFor(() => {
    expect(frames.size).toBe(2);
  }, limitMs);
  unsubscribe();
  expect(frames.size).toBe(1);
  await stop();
  vi.unstubAllGlobals();
});

test("shows a banner while the server is unreachable", async () => {
  const { server, informer, stop } = await startInformer();
  const page = render(<PodsTable informer={informer} />);
  expect(page.querySelector("[role=status]")).toBeNull();
  server.control.shutdown();
  await until(() => {
    expect(page.textContent).toContain("Reconnecting (");
  });
  server.control.start();
  await until(() => {
    expect(page.querySelector("[role=status]")).toBeNull();
  });
  await stop();
});
