import { Agent, request } from "node:http";
import type { TestEngine } from "./engine.ts";

/** Orders to an engine without the time that the docker command takes to start. */
export interface EngineOrders {
  /** Resolves once the engine has answered, whatever it answered. */
  post(path: string): Promise<void>;
  close(): void;
}

export function createEngineOrders(engine: TestEngine): EngineOrders {
  const agent = new Agent({ keepAlive: true });
  return {
    post: (path) =>
      new Promise((resolve, reject) => {
        const asked = request({ socketPath: engine.host.replace("unix://", ""), path, method: "POST", agent }, (response) => {
          response.resume().on("end", resolve);
        });
        asked.on("error", reject);
        asked.end();
      }),
    close: () => agent.destroy(),
  };
}
