import type { Name } from "./host.ts";
import type { Kind } from "./kinds.ts";
import type { World } from "./world.ts";

/** As the lists call things that are kept while nothing comes from their host. */
const LAST_SEEN = ", as last seen";

/** Of the well one; of kinds in which only the ill one has something, of that. */
export async function stateOf(world: World, kind: Kind): Promise<string> {
  const name: Name = kind === "update" || kind === "insight" ? "sick" : "web";
  const server = world.running();
  const { containers, endpoints, heartbeats, certificates, resources, agents } = server;
  const { agentId } = world;
  const found = [1, 2]
    .map((generation) => containers.present.find(agentId, `${name}-${generation}`))
    .findLast((each) => each !== undefined);
  const isAgentLost = agents.announce().some(({ type }) => type === "agent.disconnected");
  const isEngineLost = server.runtimeWatch.announce().length > 0;
  const isUnseen = isAgentLost || isEngineLost;
  const seen = (word: string | undefined): string => (word === undefined ? "gone" : `${word}${isUnseen ? LAST_SEEN : ""}`);
  switch (kind) {
    case "container":
      return seen(found && `${found.state}${found.stopRequested && found.state === "exited" ? ", asked" : ""}`);
    case "endpoint": {
      const mine = endpoints.present().filter(({ container, inactiveSince }) => container?.name === name && inactiveSince === null);
      return seen(mine.at(-1)?.state.status);
    }
    case "standalone":
      return endpoints.find(world.ids[name].standalone)?.state.status ?? "gone";
    case "heartbeat":
      return heartbeats.find(world.ids[name].heartbeat)?.status ?? "gone";
    case "certificate": {
      // The server itself watches those of the host it runs on.
      const { status, lastCheckAt } = certificates.find(world.ids[name].certificate)?.state ?? {};
      const isOld = lastCheckAt != null && world.clock.now().getTime() - lastCheckAt.getTime() > 5 * 60_000;
      if (status !== undefined && isOld) return status + LAST_SEEN;
      return isAgentLost ? seen(status) : (status ?? "gone");
    }
    case "resource": {
      if (found === undefined) return "gone";
      const { memory_percent: percent } = await resources.service.current(found.id);
      return percent === null ? "not measured" : `${percent} %`;
    }
    case "host": {
      const host = resources.service.hosts().hosts.find(({ agent_id }) => agent_id === agentId);
      return `${host?.available === true ? "measured" : "not measured"}, engine ${isEngineLost ? "lost" : isAgentLost ? "not seen" : "there"}`;
    }
    case "agent":
      return agentId === null ? "-" : (agents.service.list().agents[0]?.connection_state ?? "gone");
    case "update": {
      if (found === undefined) return "gone";
      const { body } = await server.ask("GET", `/api/v1/updates/container/${found.id}`);
      return seen(String(body["status"]));
    }
    case "insight": {
      if (found === undefined) return "gone";
      const { body } = await server.ask("GET", `/api/v1/security/insights/${found.id}`);
      return seen(`${(body["insights"] as unknown[]).length} found`);
    }
  }
}
