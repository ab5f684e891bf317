// Opens streams and reads them: node read.ts PORT CLIENTS EVENTS. Prints "connected" when each has
// the three lists, and "done" when each has the events.
import { connect, type Socket } from "node:net";

const [port = "", clientsText = "", eventsText = ""] = process.argv.slice(2);
const clients = Number(clientsText);
const events = Number(eventsText);
const objects = 300;
const request = "GET /?collections=pods,nodes,services HTTP/1.1\r\nhost: localhost\r\n\r\n";
/** Connections that are opened at once: fewer than a listener queues. */
const atOnce = 100;
const mark = Buffer.from("event: set");

let connected = 0;
let done = 0;
let opened = 0;
const sockets: Socket[] = [];

function open(): void {
  if (opened === clients) return;
  opened++;
  const socket = connect(Number(port), "127.0.0.1", () => socket.write(request));
  sockets.push(socket);
  let count = 0;
  let rest = Buffer.alloc(0);
  socket.on("data", (chunk) => {
    const bytes = Buffer.concat([rest, chunk]);
    let end = 0;
    for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, end)) {
      end = at + mark.length;
      count++;
      if (count === objects) {
        open();
        if (++connected === clients) console.log("connected");
      }
      if (count === objects + events && ++done === clients) console.log("done");
    }
    // The mark may be split.
    rest = bytes.subarray(Math.max(end, bytes.length - mark.length + 1));
  });
  socket.on("error", (error) => {
    console.error(error);
    process.exit(1);
  });
}

for (let index = 0; index < Math.min(atOnce, clients); index++) open();
