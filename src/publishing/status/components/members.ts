import { SCOPES } from "../../../contract/scope.ts";
import type { Certificates } from "../../../monitoring/certificates/index.ts";
import type { Containers, SavedContainer } from "../../../monitoring/containers/index.ts";
import type { Endpoints } from "../../../monitoring/endpoints/index.ts";
import { isScope, type Monitor, type Scope } from "../vocabulary.ts";

/** What is in groups and on hosts now: containers that are not ignored, with their endpoints and certificates. */
export interface Members {
  of(scope: Scope): Monitor[];
  /** The group and the host that something is in; none of what belongs to no container. */
  scopesOf(monitor: Monitor): Scope[];
}

/** All that can be in a group or on a host; in memory. */
export interface MemberFeatures {
  containers: Pick<Containers, "present">;
  endpoints: Pick<Endpoints, "find" | "present">;
  certificates: Pick<Certificates, "find" | "all">;
}

export function createMembers({ containers: { present }, endpoints, certificates }: MemberFeatures): Members {
  function containersOf({ type, id }: Scope): SavedContainer[] {
    const all = type === SCOPES.host ? present.ofHost(agentOf(id)) : [...present.ids()].flatMap((each) => present.get(each) ?? []);
    return all.filter((container) => !container.settings.ignored && (type === SCOPES.host || container.group === id));
  }

  function containerOf(monitor: Monitor): number | null | undefined {
    if (isScope(monitor)) return undefined;
    const { type, id } = monitor;
    if (type === "container") return id;
    if (type === "endpoint") return endpoints.find(id)?.container?.id;
    const certificate = type === "certificate" ? certificates.find(id) : undefined;
    return certificate?.container?.id ?? endpoints.find(certificate?.endpointId ?? 0)?.container?.id;
  }

  return {
    of(scope) {
      const ids = new Set(containersOf(scope).map(({ id }) => id));
      if (ids.size === 0) return [];
      const belongs = (monitor: Monitor): boolean => ids.has(containerOf(monitor) ?? 0);
      const checked = endpoints.present().map(({ id }): Monitor => ({ type: "endpoint", id }));
      const watched = [...certificates.all()].map(({ id }): Monitor => ({ type: "certificate", id }));
      return [...[...ids].map((id): Monitor => ({ type: "container", id })), ...[...checked, ...watched].filter(belongs)];
    },
    scopesOf(monitor) {
      const container = present.get(containerOf(monitor) ?? 0);
      if (container === undefined || container.settings.ignored) return [];
      return [
        { type: SCOPES.group, id: container.group },
        { type: SCOPES.host, id: container.agentId ?? "local" },
      ];
    },
  };
}

/** The agent of a host as a scope names it; null is the local one. */
export function agentOf(id: string): string | null {
  return id === "local" ? null : id;
}
