import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { bundleOf } from "./bundles.ts";
import { NODE_ENVIRONMENT, NODE_FLAGS } from "../node-flags.ts";

/** A server under measurement, in a separate process that answers questions over IPC. */
export interface MeasuredServer {
  port: number;
  ask(question: object): Promise<Record<string, unknown>>;
  /** CPU time in microseconds since the last call. */
  cpuMicroseconds(): Promise<number>;
  stop(): Promise<void>;
}

/** Forks `servers/NAME.ts`, bundled and run as `npm start` does with the program; it sends `{port}` once it listens. */
export async function startMeasured(name: string, args: string[] = []): Promise<MeasuredServer> {
  const child = fork(join(await bundleOf(name), `${name}.js`), args, {
    execArgv: [...NODE_FLAGS],
    env: { ...process.env, ...NODE_ENVIRONMENT },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const { port } = await answer(child);
  const ask = (question: object): Promise<Record<string, unknown>> => {
    child.send(question);
    return answer(child);
  };
  return {
    port: Number(port),
    ask,
    cpuMicroseconds: async () => Number((await ask({ cpu: true }))["cpu"]),
    async stop() {
      // One that failed has ended by itself.
      if (child.exitCode === null && child.signalCode === null) {
        child.kill("SIGKILL");
        await once(child, "exit");
      }
    },
  };
}

async function answer(child: ChildProcess): Promise<Record<string, unknown>> {
  const ended = new AbortController();
  const [message] = (await Promise.race([
    once(child, "message", { signal: ended.signal }),
    once(child, "exit", { signal: ended.signal }).then(() => {
      throw new Error("the measured server ended");
    }),
  ])) as [Record<string, unknown>];
  ended.abort();
  return message;
}
