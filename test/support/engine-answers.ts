import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Stands for an engine that is not on this machine: gives answers that were recorded of it, and events on request. */
export interface EngineAnswers {
  /** As in DOCKER_HOST. */
  host: string;
  /** What was asked so far, without the version and the query. */
  asked: string[];
  /** Bodies by path, without the version; a number is a status, `{ status, message }` an error in words, a Buffer is sent as it stands. What is not here is answered with 404. */
  answers: Map<string, unknown>;
  /** Sends an event to everybody who listens. */
  send(event: object): void;
  close(): Promise<void>;
}

export async function startEngineAnswers(answers: Record<string, unknown>, headers: Record<string, string> = {}): Promise<EngineAnswers> {
  const listeners = new Set<ServerResponse>();
  const engine: Omit<EngineAnswers, "host" | "send" | "close"> = { asked: [], answers: new Map(Object.entries(answers)) };
  const server = createServer((request, response) => {
    const path = (request.url ?? "").replace(/\?.*$/, "").replace(/^\/v\d+\.\d+(?=\/)/, "");
    engine.asked.push(path);
    if (path === "/events" && answers["/events"] !== 403 && !(request.url ?? "").includes("until=")) {
      listeners.add(response);
      response.flushHeaders();
      return;
    }
    const answer = engine.answers.get(path);
    const refusal = refusalOf(answer);
    if (refusal !== undefined) {
      response.writeHead(refusal.status, { "Content-Type": "application/json" });
      response.end(JSON.stringify({ message: refusal.message }));
      return;
    }
    const status = typeof answer === "number" ? answer : answer === undefined ? 404 : 200;
    response.writeHead(status, { "Content-Type": "application/json", ...headers });
    response.end(
      status === 200 ? (Buffer.isBuffer(answer) ? answer : JSON.stringify(answer)) : JSON.stringify({ message: `status ${status}` }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    ...engine,
    host: `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    send(event) {
      for (const listener of listeners) listener.write(`${JSON.stringify(event)}\n`);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function refusalOf(answer: unknown): { status: number; message: string } | undefined {
  if (typeof answer !== "object" || answer === null || !("status" in answer && "message" in answer)) return undefined;
  return typeof answer.status === "number" ? { status: answer.status, message: String(answer.message) } : undefined;
}
