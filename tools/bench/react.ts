import { createEngineOrders } from "../../test/support/engine-orders.ts";
import { startEngine } from "../../test/support/engine.ts";
import { listen } from "../../test/support/event-source.ts";
import { importBusybox } from "../../test/support/images.ts";
import { startProgram } from "../../test/support/program.ts";
import { until } from "../../test/support/until.ts";
import { absoluteFigure, type Bench, percentile } from "./figure.ts";

const CONTAINERS = 10;

export const react: Bench = {
  name: "react",
  isLong: true,
  about: "a container of a real engine is killed; from the order to kill to the event in the stream",
  async run({ quick }) {
    const engine = await startEngine();
    const image = await importBusybox(engine);
    const ids = await Promise.all(Array.from({ length: CONTAINERS }, () => engine.docker("run", "-d", image, "sleep", "3600")));
    const orders = createEngineOrders(engine);
    const program = await startProgram({ env: { SERVICE_DOCKER_HOST: engine.host } });
    const events = await listen(`${program.url}/api/v1/containers/events?types=container.state_changed,container.discovered`);
    try {
      const containers = await until(
        async () => {
          const { groups } = await program.get<ContainerGroups>("/api/v1/containers");
          const listed = groups.flatMap((group) => group.containers);
          return ids.every((externalId) => listed.some((each) => each.external_id === externalId)) ? listed : undefined;
        },
        { everyMs: 100 },
      );
      const delays: number[] = [];
      for (let kill = 0; kill < (quick ? 10 : 200); kill += 1) {
        const externalId = ids[kill % CONTAINERS] ?? "";
        const id = containers.find((container) => container.external_id === externalId)?.id;
        events.events.length = 0;
        const startedMs = performance.now();
        const killed = orders.post(`/containers/${externalId}/kill`);
        const change = await events.wait(({ data }) => data["id"] === id && data["state"] !== "running");
        delays.push(change.receivedMs - startedMs);
        await killed;
        await orders.post(`/containers/${externalId}/start`);
        await events.wait(({ data }) => data["id"] === id && data["state"] === "running");
      }
      return [
        absoluteFigure({ name: "react: kill to event, p50", value: percentile(delays, 50), unit: "ms", atMost: 100 }),
        absoluteFigure({ name: "react: kill to event, p99", value: percentile(delays, 99), unit: "ms", atMost: 100 }),
      ];
    } finally {
      events.close();
      orders.close();
      await program.stop();
      await engine.docker("rm", "-f", ...ids);
      await engine.stop();
    }
  },
};

interface ContainerGroups {
  groups: { containers: { id: number; external_id: string }[] }[];
}
