import { useSearch } from "@tanstack/react-router";
import { createContext, useCallback, useContext } from "react";
import { compareNames } from "../../../src/contract/words.ts";
import type { ActiveAlerts } from "../../../src/alerting/alerts/answers.ts";
import type { RuntimeStatusRecord } from "../../../src/app/meta/answers.ts";
import type { AgentList } from "../../../src/fleet/agents/answers.ts";
import type { Hosts } from "../../../src/monitoring/resources/answers.ts";
import { type Host, hostId, LOCAL_HOST, shortName } from "./host-id.ts";

/** The hosts that are watched. */
export interface KnownHosts {
  /** The local one first, then the others by name. */
  hosts: readonly Host[];
  /** Since when nothing comes from whom, by id. */
  lost: Readonly<Record<string, string>>;
  /** Since when the container engine of whom does not answer, by id. */
  lostRuntimes: Readonly<Record<string, string>>;
  nameOf: (id: string) => string;
}

export const NO_OTHERS: KnownHosts = { hosts: [LOCAL_HOST], lost: {}, lostRuntimes: {}, nameOf: shortName };

export const HostsContext = createContext<KnownHosts>(NO_OTHERS);

/** The hosts as they are called; the local one is there unless the server watches others only. */
export function namedHosts({ hosts }: Hosts): Host[] {
  const local = hosts.some(({ agent_id }) => agent_id === null) ? [LOCAL_HOST] : [];
  const others = hosts.flatMap(({ agent_id, label }) => (agent_id === null ? [] : [{ id: agent_id, name: label }]));
  return [...local, ...others.sort((a, b) => compareNames(a.name, b.name) || compareNames(a.id, b.id))];
}

/** Since when nothing comes from agents: what is known of their hosts is from then. */
export function lostHosts({ agents }: AgentList): Record<string, string> {
  return Object.fromEntries(
    agents.filter(({ connection_state }) => connection_state === "disconnected").map(({ id, last_seen_at }) => [id, last_seen_at]),
  );
}

/** The same where agents cannot be asked for: of their hosts whose figures no longer come. */
export function silentHosts({ hosts }: Hosts): Record<string, string> {
  return Object.fromEntries(
    hosts.flatMap(({ agent_id, available, timestamp }) =>
      agent_id === null || available || timestamp === null ? [] : [[agent_id, timestamp]],
    ),
  );
}

/** Since when the engine of this host does not answer; undefined while it does, or none is watched. */
export function localRuntimeLoss({ watched, connected, since }: RuntimeStatusRecord): string | undefined {
  return watched && !connected ? since : undefined;
}

/** The engines of other hosts that do not answer, as alerts show. */
export function lostRuntimesOf({ alerts }: Pick<ActiveAlerts, "alerts">): Record<string, string> {
  return Object.fromEntries(
    alerts.flatMap(({ source, event, agent_id, fired_at, details }) => {
      // It may be back without some of the containers that stopped with it.
      const isAway = source === "agent" && event === "runtime_lost" && details["back_at"] === null;
      return isAway && agent_id !== null ? [[agent_id, fired_at]] : [];
    }),
  );
}

/** Every host that is watched. */
export function useHosts(): readonly Host[] {
  return useContext(HostsContext).hosts;
}

/** How hosts are called. */
export function useHostName(): (id: string) => string {
  return useContext(HostsContext).nameOf;
}

/** Since when nothing comes from the host of something, so that it is shown as it was last seen; undefined while something does. */
export function useLostSince(record: { agent_id: string | null }): string | undefined {
  return useContext(HostsContext).lost[hostId(record)];
}

/** The same, of every host by id. */
export function useLostHosts(): KnownHosts["lost"] {
  return useContext(HostsContext).lost;
}

/** Whether nothing comes from the host of something. */
export function useIsHostLost(): (record: { agent_id: string | null }) => boolean {
  const lost = useLostHosts();
  return useCallback((record) => lost[hostId(record)] !== undefined, [lost]);
}

/** Since when the container engine of hosts does not answer, by id. */
export function useLostRuntimes(): KnownHosts["lostRuntimes"] {
  return useContext(HostsContext).lostRuntimes;
}

/** The one host that the reader looks at; undefined: all. */
export function useChosenHost(): string | undefined {
  return useSearch({ strict: false }).agent_id;
}

/** Whether a list must say of each row which host it is of. */
export function useNamesHosts(): boolean {
  const several = useHosts().length > 1;
  return useChosenHost() === undefined && several;
}
