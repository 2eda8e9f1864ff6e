import { Agent, request } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";

/** Asks an API server as the tests do: without the program's own client. */
export interface Api {
  /** The parsed answer. Throws with the status and the message of a refusal. */
  call<Body = Record<string, unknown>>(method: string, path: string, body?: object): Promise<Body>;
  get<Body = Record<string, unknown>>(path: string): Promise<Body>;
  post(path: string, body: object): Promise<Record<string, unknown>>;
  /** A merge patch. */
  patch(path: string, body: object): Promise<Record<string, unknown>>;
  /** At once and for ever; nothing when it is gone already. */
  remove(path: string): Promise<void>;
  close(): void;
}

export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export function createApi({ address, token, ca }: { address: string; token: string; ca: string }): Api {
  const agent = new Agent({ keepAlive: true, maxSockets: 16, ca });

  async function call<Body>(method: string, path: string, body?: object): Promise<Body> {
    const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
    const sent = body === undefined ? "" : JSON.stringify(body);
    const { status, text } = await new Promise<{ status: number; text: string }>((resolve, reject) => {
      const headers = { Authorization: `Bearer ${token}`, "Content-Type": type, "Content-Length": Buffer.byteLength(sent) };
      const outgoing = request(new URL(path, address), { method, agent, headers }, (answer) => {
        let received = "";
        answer.setEncoding("utf8").on("data", (chunk: string) => void (received += chunk));
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text: received }));
        answer.on("error", reject);
      });
      outgoing.on("error", reject);
      outgoing.end(sent);
    });
    // The API server says what is wrong in an object of the kind Status; /readyz and the like answer with text.
    const isJson = text.startsWith("{");
    if (status >= 400) throw new ApiError(status, `${method} ${path}: ${status} ${isJson ? JSON.parse(text).message : text}`);
    return (isJson ? JSON.parse(text) : { text }) as Body;
  }

  return {
    call,
    get: (path) => call("GET", path),
    post: (path, body) => call("POST", path, body),
    async patch(path, body) {
      for (let attempt = 0; ; attempt += 1) {
        try {
          return await call("PATCH", path, body);
        } catch (error) {
          // A controller changed it in the same moment.
          if (!(error instanceof ApiError) || error.status !== 409 || attempt === 9) throw error;
          await sleep(20);
        }
      }
    },
    async remove(path) {
      try {
        await call("DELETE", path, { kind: "DeleteOptions", apiVersion: "v1", gracePeriodSeconds: 0 });
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 404) throw error;
      }
    },
    close: () => agent.destroy(),
  };
}
