const NAMES: Readonly<Record<string, string>> = { docker: "Docker", swarm: "Docker Swarm", kubernetes: "Kubernetes", podman: "Podman" };

/** An engine that speaks another's language names itself with its version, as in "Podman 5.2". */
const NAMED_VERSION = /^([A-Z][A-Za-z]+) (.+)$/;

/** A runtime's name as its makers write it. */
export function runtimeName(kind: string, version: string | null = null): string {
  return NAMED_VERSION.exec(version ?? "")?.[1] ?? NAMES[kind] ?? "The container runtime";
}

/** Its name and version. */
export function runtimeText(kind: string, version: string | null): string {
  return [runtimeName(kind, version), NAMED_VERSION.exec(version ?? "")?.[2] ?? version].filter(Boolean).join(" ");
}
