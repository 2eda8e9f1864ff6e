/** The cheapest thing that can be checked: answers every request with 200 and closes. */
import { createServer } from "node:net";
import { serveQuestions } from "../questions.ts";

const ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok";
const server = createServer((socket) => {
  socket.on("error", () => undefined);
  socket.once("data", () => socket.end(ANSWER));
});
server.listen({ port: 0, host: "127.0.0.1", backlog: 4096 }, () => {
  const address = server.address();
  serveQuestions(typeof address === "object" && address !== null ? address.port : 0);
});
