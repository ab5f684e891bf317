import { FakeApiServer } from "listwatch/fake-apiserver";

const { fetch, control } = new FakeApiServer();

control.faults.add({
  match: { verb: "list", resource: "pods" },
  when: { skip: 1 },
  action: { type: "status", status: { code: 429, retryAfterSeconds: 3 } },
  times: 2,
});

for (let attempt = 1; attempt <= 4; attempt++) {
  const response = await fetch(new Request("http://fake/api/v1/pods"));
  console.log(response.status, response.headers.get("retry-after"));
}

// A fault that never happens would make the test meaningless.
control.faults.assertConsumed();
console.log(control.recorder.list({ verb: "list" }).length, "lists");
