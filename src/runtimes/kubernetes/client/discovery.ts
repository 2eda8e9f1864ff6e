import { z } from "zod";
import { ServiceError } from "../../../platform/errors.ts";
import type { KubernetesClient, ApiResource } from "./client.ts";

/** A kind that is wanted, and the versions of its group that we know: the first that the cluster has is taken. */
export interface WantedKind {
  group: string;
  versions: readonly string[];
  kind: string;
}

const groupList = z.object({
  groups: z.array(z.object({ name: z.string(), versions: z.array(z.object({ version: z.string() })) })).max(2000),
});
const coreVersions = z.object({ versions: z.array(z.string()).max(100) });
const resourceList = z.object({
  resources: z.array(z.object({ name: z.string(), kind: z.string(), namespaced: z.boolean() })).max(10_000),
});

type ServedResource = z.infer<typeof resourceList>["resources"][number];

/**
 * Of each wanted kind the newest version that the cluster and we know, by kind; a kind that is wanted of several groups is that of the first. Kinds that
 * the cluster does not have, or whose own API server is away at the moment, are missing. Throws `runtime_unavailable` when nothing can be discovered.
 */
export async function discoverResources(
  client: Pick<KubernetesClient, "address" | "read">,
  wanted: readonly WantedKind[],
  signal: AbortSignal,
): Promise<Map<string, ApiResource>> {
  const [core, named] = await Promise.all([client.read(coreVersions, "/api", { signal }), client.read(groupList, "/apis", { signal })]);
  for (const answer of [core, named]) {
    if (!("refused" in answer)) continue;
    const { status, message } = answer.refused;
    throw new ServiceError(
      "runtime_unavailable",
      `The Kubernetes API at ${client.address} does not show which kinds it has: "${message}" (status ${status}). ${remedyOf(status)}`,
    );
  }
  const versionsOf = new Map<string, ReadonlySet<string>>();
  if ("data" in core) versionsOf.set("", new Set(core.data.versions));
  if ("data" in named)
    for (const { name, versions } of named.data.groups) versionsOf.set(name, new Set(versions.map(({ version }) => version)));

  const served = new Map<string, Promise<ServedResource[]>>();
  const servedBy = (group: string, version: string): Promise<ServedResource[]> => {
    const path = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
    const known = served.get(path) ?? readResources(client, path, signal);
    served.set(path, known);
    return known;
  };

  async function find({ group, versions, kind }: WantedKind): Promise<ApiResource | undefined> {
    for (const version of versions) {
      if (versionsOf.get(group)?.has(version) !== true) continue;
      const resource = (await servedBy(group, version)).find(({ name, kind: each }) => each === kind && !name.includes("/"));
      if (resource !== undefined) return { group, version, plural: resource.name, kind, namespaced: resource.namespaced };
    }
    return undefined;
  }

  const found = new Map<string, ApiResource>();
  for (const resource of await Promise.all(wanted.map(find))) {
    if (resource !== undefined && !found.has(resource.kind)) found.set(resource.kind, resource);
  }
  return found;
}

/** Empty where the server behind the group is away, as that of metrics may be. */
async function readResources(client: Pick<KubernetesClient, "read">, path: string, signal: AbortSignal): Promise<ServedResource[]> {
  const answer = await client.read(resourceList, path, { signal });
  return "data" in answer ? answer.data.resources : [];
}

function remedyOf(status: number): string {
  if (status === 401) return "Its credentials are refused: they may have expired. Renew them.";
  if (status === 403) return "Bind the ClusterRole system:discovery to this account.";
  return "It is tried again.";
}
