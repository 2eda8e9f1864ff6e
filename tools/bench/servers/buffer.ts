/** The baseline of `list`: a cached Buffer of the size given as argument over bare node:http. */
import { createServer } from "node:http";
import { serveQuestions } from "../questions.ts";

const body = Buffer.alloc(Number(process.argv[2]), "x");
const server = createServer((_request, response) => {
  response.writeHead(200, { "content-type": "application/json; charset=utf-8", "content-length": body.length });
  response.end(body);
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  serveQuestions(typeof address === "object" && address !== null ? address.port : 0);
});
