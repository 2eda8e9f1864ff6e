const NAMES: Readonly<Record<string, string>> = { docker: "Docker", swarm: "Docker Swarm", kubernetes: "Kubernetes", podman: "Podman" };

/** A runtime's name as its makers write it. */
export function runtimeName(kind: string): string {
  return NAMES[kind] ?? "The container runtime";
}
