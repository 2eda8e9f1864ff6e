import http from "node:http";
import type { AddressInfo } from "node:net";
import type { TestEngine } from "./engine.ts";

/** A socket proxy before an engine that a test can make fail. */
export interface EngineProxy {
  /** As in DOCKER_HOST. */
  host: string;
  /** What it denies. */
  denied: RegExp;
  /** What it answers itself, with that status; until when a request waits before it is asked, and its answer before it is given. */
  holds(url: string): { status?: number; asked?: Promise<void>; answered?: Promise<void> };
  close(): void;
}

export async function startEngineProxy(engine: TestEngine): Promise<EngineProxy> {
  const socketPath = engine.host.replace("unix://", "");
  const server = http.createServer((request, response) => {
    const url = request.url ?? "";
    if (proxy.denied.test(url)) return void response.writeHead(403).end("Forbidden");
    const { status, asked, answered } = proxy.holds(url);
    if (status !== undefined) return void response.writeHead(status).end("of the proxy's own");
    const onward = http.request({ socketPath, path: url, method: request.method }, async (answer) => {
      await answered;
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    void Promise.resolve(asked).then(() => onward.end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const proxy: EngineProxy = {
    host: `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    denied: /^$/,
    holds: () => ({}),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return proxy;
}
