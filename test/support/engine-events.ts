import { request } from "node:http";
import type { TestEngine } from "./engine.ts";
import { until } from "./until.ts";

/** What the engine itself says happened to a container. */
export interface EngineEvent {
  /** Docker's word: `start`, `die`, `health_status: unhealthy`. */
  action: string;
  containerId: string;
  /** When, on the clock that `Date.now()` reads too. */
  atMs: number;
}

/** Listens to the engine's own events about containers with a label; resolves once it does. */
export function listenToEngine(
  engine: TestEngine,
  label: string,
): Promise<{ wait(fits: (event: EngineEvent) => boolean, count?: number): Promise<EngineEvent>; close(): void }> {
  const events: EngineEvent[] = [];
  const filters = encodeURIComponent(JSON.stringify({ type: ["container"], label: [label] }));
  return new Promise((resolve, reject) => {
    const asked = request(
      { socketPath: engine.host.replace("unix://", ""), path: `/events?filters=${filters}`, agent: false },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => {
          const lines = (text + chunk).split("\n");
          text = lines.pop() ?? "";
          for (const line of lines.filter((each) => each !== "")) events.push(readEvent(line));
        });
        response.on("error", () => undefined);
        resolve({
          /** The first event, or with `count` so many-th, that fits. */
          wait: (fits, count = 1) => until(() => events.filter(fits)[count - 1], { withinMs: 30_000 }),
          close: () => asked.destroy(),
        });
      },
    );
    asked.on("error", reject);
    asked.end();
  });
}

function readEvent(line: string): EngineEvent {
  const { Action, Actor, timeNano } = JSON.parse(line) as { Action: string; Actor: { ID: string }; timeNano: number };
  return { action: Action, containerId: Actor.ID, atMs: timeNano / 1e6 };
}
