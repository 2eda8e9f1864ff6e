/**
 * Run by Node in a separate network: strangers that hold connections to the HTTP port (`argv[2]`, HOST:PORT) and send as little, or as much, as they
 * can; and to the port for agents (`argv[3]`) when it is given. `argv[4]` connections each. Prints one JSON line a second: how many have been open for a
 * second.
 */
import { connect as connectHttp2 } from "node:http2";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";

const [, , httpAt = "", grpcAt = "", count = "200"] = process.argv;
const AGAIN_MS = 250;
const TRICKLE_MS = 1000;
const open = { http: 0, grpc: 0 };

/** Half-sent headers, and half-sent bodies. */
const BEGINNINGS = [
  "GET /api/v1/containers HTTP/1.1\r\nHost: 10.77.0.2\r\n",
  "POST /api/v1/endpoints HTTP/1.1\r\nHost: 10.77.0.2\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n",
  "",
];

function holdHttp(number: number): void {
  const [host, port] = httpAt.split(":");
  const socket = connect({ host: host ?? "", port: Number(port) });
  let trickle: NodeJS.Timeout | undefined;
  socket.on("connect", () => {
    const isAsking = number % 4 === 3;
    if (isAsking) socket.write("GET /api/v1/containers HTTP/1.1\r\nHost: 10.77.0.2\r\n\r\n".repeat(50));
    else socket.write(BEGINNINGS[number % BEGINNINGS.length] ?? "");
    let isHeld = false;
    trickle = setInterval(() => {
      socket.write("X");
      // After this program was held up, an end that came meanwhile is handled first.
      setImmediate(() => {
        if (isHeld || socket.destroyed) return;
        isHeld = true;
        open.http += 1;
        socket.once("close", () => (open.http -= 1));
      });
    }, TRICKLE_MS);
  });
  socket.on("error", () => undefined).resume();
  socket.once("close", () => {
    clearInterval(trickle);
    setTimeout(() => holdHttp(number), AGAIN_MS);
  });
}

/** What unpacks to 4 MB, in many calls on each connection. */
const BOMB = framed(1, gzipSync(Buffer.alloc(4_000_000)));
const LARGE = framed(0, Buffer.alloc(1_000_000));
const PATHS = ["RegisterAgent", "Push"].map((method) => `/service.agent.v1.Ingest/${method}`);

function holdGrpc(number: number): void {
  const session = connectHttp2(`http://${grpcAt}`);
  session.on("connect", () => {
    open.grpc += 1;
    session.once("close", () => (open.grpc -= 1));
    // A third only holds its calls open.
    for (let call = 0; call < 20; call += 1) {
      const headers = { ":method": "POST", ":path": PATHS[call % 2], "content-type": "application/grpc", te: "trailers" };
      const isBomb = number % 3 === 0;
      const stream = session.request(isBomb ? { ...headers, "grpc-encoding": "gzip" } : headers);
      stream.on("error", () => undefined).resume();
      if (isBomb) stream.write(BOMB);
      else if (number % 3 === 1) stream.write(LARGE);
    }
  });
  session.on("error", () => undefined);
  session.once("close", () => setTimeout(() => holdGrpc(number), AGAIN_MS));
}

function framed(flag: number, message: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(flag);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

for (let number = 0; number < Number(count); number += 1) {
  holdHttp(number);
  if (grpcAt !== "") holdGrpc(number);
}
setInterval(() => process.stdout.write(`${JSON.stringify(open)}\n`), 1000);
