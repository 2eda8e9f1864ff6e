import { SCOPES } from "../../../contract/scope.ts";
import type { Certificates } from "../../../monitoring/certificates/index.ts";
import type { Containers } from "../../../monitoring/containers/index.ts";
import type { Endpoints } from "../../../monitoring/endpoints/index.ts";
import { isScope, type Monitor, type Scope } from "../vocabulary.ts";

/** What is in groups and on hosts now: containers that are not ignored, with their endpoints and certificates. */
export interface Members {
  of(scope: Scope): readonly Monitor[];
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
  /** All that is in groups and on hosts, for as long as nothing can change: many are asked for at once. */
  let index: ReadonlyMap<string, readonly Monitor[]> | undefined;

  function indexed(): ReadonlyMap<string, readonly Monitor[]> {
    if (index === undefined) {
      index = allMembers();
      queueMicrotask(() => (index = undefined));
    }
    return index;
  }

  function allMembers(): Map<string, Monitor[]> {
    const found = new Map<string, Monitor[]>();
    const add = (monitor: Monitor): void => {
      for (const scope of scopesOf(monitor)) {
        const all = found.get(keyOf(scope));
        if (all === undefined) found.set(keyOf(scope), [monitor]);
        else all.push(monitor);
      }
    };
    for (const id of present.ids()) add({ type: "container", id });
    for (const { id } of endpoints.present()) add({ type: "endpoint", id });
    for (const { id } of certificates.all()) add({ type: "certificate", id });
    return found;
  }

  function containerOf(monitor: Monitor): number | null | undefined {
    if (isScope(monitor)) return undefined;
    const { type, id } = monitor;
    if (type === "container") return id;
    if (type === "endpoint") return endpoints.find(id)?.container?.id;
    const certificate = type === "certificate" ? certificates.find(id) : undefined;
    return certificate?.container?.id ?? endpoints.find(certificate?.endpointId ?? 0)?.container?.id;
  }

  function scopesOf(monitor: Monitor): Scope[] {
    const container = present.get(containerOf(monitor) ?? 0);
    if (container === undefined || container.settings.ignored) return [];
    return [
      { type: SCOPES.group, id: container.group },
      { type: SCOPES.host, id: container.agentId ?? "local" },
    ];
  }

  return { of: (scope) => indexed().get(keyOf(scope)) ?? [], scopesOf };
}

function keyOf({ type, id }: Scope): string {
  return `${type} ${id}`;
}

/** The agent of a host as a scope names it; null is the local one. */
export function agentOf(id: string): string | null {
  return id === "local" ? null : id;
}
