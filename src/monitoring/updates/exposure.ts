import type { SavedContainer } from "../containers/index.ts";

/** How far a container can be reached, as far as that raises the risk of leaving it as it is. */
export function exposureOf({ ports, networkMode, privileged }: Pick<SavedContainer, "ports" | "networkMode" | "privileged">) {
  const hostNetwork = networkMode === "host";
  const everywhere = ports.filter(({ hostIp, hostPort }) => hostPort !== null && (hostIp === "0.0.0.0" || hostIp === "::"));
  const published = new Set(everywhere.map(({ containerPort, protocol }) => `${containerPort}/${protocol}`));
  return { publishedPorts: hostNetwork ? 0 : published.size, privileged, hostNetwork };
}
