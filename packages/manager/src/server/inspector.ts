import type { Page, PageRequest } from "./listen.ts";

/**
 * Answers `/` with a page that shows the state of a manager, and `/inspect.json` with the state.
 * Only requests to this machine by name or address are answered, so that no page of another host
 * can read it.
 */
export function answerInspector(inspect: () => object, { host, url }: PageRequest): Page {
  if (!/^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/.test(host ?? "")) {
    return { status: 403, body: "Expected a request to localhost\n" };
  }
  if (url.pathname === "/inspect.json") {
    return { status: 200, body: JSON.stringify(inspect()), type: "application/json" };
  }
  if (url.pathname === "/") return { status: 200, body: page, type: "text/html; charset=utf-8" };
  return { status: 404, body: "Expected / or /inspect.json\n" };
}

// Contents are only set as text: keys and errors come from the cluster.
const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Manager</title>
<style>
  :root { color-scheme: light dark; font: 14px/1.5 system-ui, sans-serif; }
  body { margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
  table { border-collapse: collapse; margin: .5rem 0 2rem; width: 100%; }
  th, td { border-bottom: 1px solid #8884; padding: .25rem .5rem; }
  th, td { text-align: left; vertical-align: top; }
  td { font-variant-numeric: tabular-nums; white-space: pre-line; }
  .bad { color: #c22; }
</style>
<h1>Manager</h1>
<p id="state" role="status">Loading…</p>
<h2>Informers</h2>
<table id="informers"><thead><tr>
<th>Name<th>Phase<th>Objects<th>Complete as of<th>Waiting for handlers<th>Problem
</thead><tbody></table>
<h2>Controllers</h2>
<table id="controllers"><thead><tr>
<th>Name<th>Runs<th>Keys waiting<th>Reconciles in progress
</thead><tbody></table>
<h2>Keys that wait</h2>
<table id="pending"><thead><tr>
<th>Controller<th>Key<th>Waits for<th>Priority<th>Failures
</thead><tbody></table>
<h2>Last reconciles</h2>
<table id="past"><thead><tr>
<th>Controller<th>Key<th>Reconciles, the latest first
</thead><tbody></table>
<script>
  const fill = (id, rows) => {
    document.querySelector("#" + id + " tbody").replaceChildren(...rows.map((cells) => {
      const row = document.createElement("tr");
      for (const text of cells) row.insertCell().textContent = text ?? "";
      return row;
    }));
  };
  const seconds = (ms) => Math.max(0, (Date.now() - ms) / 1000).toFixed(0) + " s ago";
  const ago = (ms) => ms === undefined ? "behind" : seconds(ms);
  const all = (object) => Object.entries(object)
    .map(([name, value]) => name + " " + value)
    .join(", ");
  const lines = (list, text) => list.map(text).join("\\n");
  const running = ({ key, startMs }) => key + ", since " + ago(startMs);
  const past = ({ startMs, durationMs, outcome, error }) => {
    const why = error === undefined ? "" : ": " + error;
    return ago(startMs) + ", " + durationMs.toFixed(1) + " ms, " + outcome + why;
  };
  const informer = ({ backlogs, freshAsOfMs, hasSynced, name, objects, phase, problem }) =>
    [name, hasSynced ? phase : phase + ", not synced", objects, ago(freshAsOfMs), all(backlogs),
      problem];
  const controller = (each) =>
    [each.name, each.isRunning ? "yes" : "no", each.waiting, lines(each.running, running)];
  const show = ({ asOfMs, controllers, informers, name }) => {
    document.querySelector("h1").textContent = name;
    fill("informers", informers.map(informer));
    fill("controllers", controllers.map(controller));
    fill("pending", controllers.flatMap((each) =>
      each.pending.map(({ dueMs, failures, key, priority, reason }) => {
        const left = dueMs === undefined ? "" : ", " + (dueMs - asOfMs) / 1000 + " s";
        return [each.name, key, reason + left, priority, failures];
      })));
    fill("past", controllers.flatMap((each) =>
      each.past.map(([key, list]) => [each.name, key, lines(list, past)])));
  };
  const line = document.querySelector("#state");
  const load = async () => {
    try {
      const state = await (await fetch("inspect.json")).json();
      show(state);
      line.className = "";
      const role = state.isLeader ? "Leads" : "Does not lead";
      line.textContent = role + ", as of " + new Date().toLocaleTimeString();
    } catch {
      line.className = "bad";
      line.textContent = "The manager does not answer";
    }
    setTimeout(load, 2000);
  };
  load();
</script>
`;
