import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { TestContext } from "node:test";
import type { Chance } from "./chance.ts";
import type { DeliveryOrders } from "./delivery-writer.ts";
import { temporaryFolder } from "./program.ts";
import { until } from "./until.ts";

/** A life lasts up to so long after its first work. */
const LONGEST_LIFE_MS = 250;

/** Processes of delivery-writer.ts. The next one is always starting already, so that each life begins at once. */
export function createDeliveryWriters(context: TestContext, chance: Chance) {
  const env = { ...process.env, NODE_COMPILE_CACHE: temporaryFolder() };
  let next = prepare();
  context.after(async () => {
    next.child.kill("SIGKILL");
    await once(next.child, "close");
  });

  function prepare(): { child: ChildProcess; ready: Promise<unknown>; errors: string[]; lines: string[] } {
    const child = fork(new URL("./delivery-writer.ts", import.meta.url), { env, stdio: ["ignore", "pipe", "pipe", "ipc"] });
    const errors: string[] = [];
    const lines: string[] = [];
    let rest = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => void errors.push(text));
    // Whole lines only: the last one may be cut.
    child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      const whole = (rest + chunk).split("\n");
      rest = whole.pop() ?? "";
      lines.push(...whole);
    });
    return { child, ready: once(child, "message"), errors, lines };
  }

  return {
    /** One life from its orders to the kill, which waits until it `mayEnd`; returns what it printed. */
    async live(orders: Omit<DeliveryOrders, "seed">, mayEnd: () => boolean = () => true): Promise<string[]> {
      const { child, ready, errors, lines } = next;
      await ready;
      next = prepare();
      child.send({ ...orders, seed: chance.below(2 ** 32) } satisfies DeliveryOrders);
      const closed = once(child, "close");
      try {
        await Promise.race([
          until(() => lines.some((line) => line.startsWith("raised")), { withinMs: 30_000, everyMs: 1, what: "it began" }),
          closed,
        ]);
        await new Promise((resolve) => setTimeout(resolve, chance.below(LONGEST_LIFE_MS)));
        await Promise.race([until(mayEnd, { withinMs: 120_000, everyMs: 10, what: "it may end" }), closed]);
      } finally {
        // Also when the test fails: it would keep the run from ending.
        child.kill("SIGKILL");
      }
      await closed;
      if (child.signalCode !== "SIGKILL") throw new Error(`it ended with ${child.exitCode}:\n${errors.join("")}`);
      return lines;
    },
  };
}
