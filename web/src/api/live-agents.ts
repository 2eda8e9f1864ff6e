import type { QueryClient } from "@tanstack/react-query";
import type { EventData } from "../../../src/events.ts";
import type { AgentList } from "../../../src/fleet/agents/answers.ts";
import { agentsQuery } from "./agents.ts";
import { patchContact, patchInList, patchSpool, withoutAgent } from "./apply-agent.ts";
import { coalesce } from "./coalesce.ts";
import type { LiveUpdates } from "./live-stream.ts";
import { hostsQuery } from "./queries.ts";

/** Keeps what is known of agents as events say: how each is reached at once, the rest is read again. */
export function createAgentUpdates(queryClient: QueryClient): LiveUpdates<"agent"> {
  // After a restart of the server every agent reports within seconds.
  const soon = coalesce(
    () => {
      void queryClient.invalidateQueries({ queryKey: ["agents"] });
      void queryClient.invalidateQueries({ queryKey: hostsQuery.queryKey });
    },
    { quietMs: 250, longestMs: 1000 },
  );

  function patch(apply: (list: AgentList) => AgentList): void {
    queryClient.setQueryData(agentsQuery.queryKey, (list) => list && apply(list));
  }

  function contact(event: EventData["agent.connected"] | EventData["agent.disconnected"]): void {
    patch((list) => patchContact(list, event));
    soon.call();
  }

  function changed(event: EventData["agent.updated"] | EventData["agent.revoked"]): void {
    patch((list) => patchInList(list, event));
    soon.call();
  }

  return {
    events: {
      "agent.created": () => soon.call(),
      "agent.connected": contact,
      "agent.disconnected": contact,
      "agent.updated": changed,
      "agent.revoked": changed,
      "agent.deleted": ({ id }) => {
        patch((list) => withoutAgent(list, id));
        soon.call();
      },
      // The event has all that is known of it.
      "agent.spool": (event) => patch((list) => patchSpool(list, event)),
    },
    reread: () => soon.call(),
    cancel: () => soon.cancel(),
  };
}
