import { request } from "node:http";

export interface ReceivedEvent {
  id: string | undefined;
  type: string;
  data: Record<string, unknown>;
  /** `performance.now()` when it arrived. */
  receivedMs: number;
}

/** A listener to server-sent events. */
export interface Listener {
  events: ReceivedEvent[];
  /** The first event, past or to come, that fits. */
  wait(fits: (event: ReceivedEvent) => boolean, withinMs?: number): Promise<ReceivedEvent>;
  close(): void;
}

/** Opens an event stream; resolves once it has answered. */
export function listen(url: string, headers: Record<string, string> = {}): Promise<Listener> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { headers, agent: false }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`${url} answered ${response.statusCode}`));
      const events: ReceivedEvent[] = [];
      const waiting = new Set<(event: ReceivedEvent) => void>();
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
        const frames = text.split("\n\n");
        text = frames.pop() ?? "";
        for (const frame of frames) {
          const event = parseFrame(frame);
          if (event === undefined) continue;
          events.push(event);
          for (const receive of waiting) receive(event);
        }
      });
      response.on("error", () => undefined);
      resolve({
        events,
        wait: (fits, withinMs = 30_000) =>
          new Promise((found, missed) => {
            const past = events.find(fits);
            if (past !== undefined) return found(past);
            const timer = setTimeout(
              () => missed(new Error(`not received within ${withinMs} ms; received ${events.map(({ type }) => type).join(", ")}`)),
              withinMs,
            );
            const receive = (event: ReceivedEvent): void => {
              if (!fits(event)) return;
              clearTimeout(timer);
              waiting.delete(receive);
              found(event);
            };
            waiting.add(receive);
          }),
        close: () => asked.destroy(),
      });
    });
    asked.on("error", reject);
    asked.end();
  });
}

function parseFrame(frame: string): ReceivedEvent | undefined {
  const fields = new Map(
    frame.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trimStart()]),
  );
  const data = fields.get("data");
  if (data === undefined) return undefined;
  return {
    id: fields.get("id"),
    type: fields.get("event") ?? "message",
    data: JSON.parse(data) as Record<string, unknown>,
    receivedMs: performance.now(),
  };
}
