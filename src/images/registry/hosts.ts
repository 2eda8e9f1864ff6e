import type { OutboundPrivateHost } from "../../platform/outbound.ts";

/** Where the registry of Docker Hub answers: not under its own name. */
const DOCKER_HUB = "registry-1.docker.io";

/** Beginning of all addresses of a registry. */
export function baseUrl(registry: string, plainHttp: (registry: string) => boolean): string {
  if (registry === "docker.io") return `https://${DOCKER_HUB}`;
  return `${plainHttp(registry) ? "http" : "https"}://${registry}`;
}

/** Which registries are asked over plain http: those that the list of private hosts names so. */
export function plainHttpOf(privateHosts: readonly OutboundPrivateHost[]): (registry: string) => boolean {
  return (registry) => {
    const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(registry.toLowerCase()) ?? [];
    return privateHosts.some(
      (each) =>
        each.plain && each.host.toLowerCase() === (bracketed ?? plain) && (each.port === undefined || each.port === Number(port ?? 80)),
    );
  };
}
