/** The values that a template needs. */
export interface Installation {
  /** `grpcs://HOST:PORT`. */
  serverUrl: string;
  token: string;
  /** The name of the agent in its token; null when the agent chooses it. */
  label: string | null;
  expiresAt: Date;
  /** The fingerprint of the server's certificate, as `sha256:HEX`, if no authority signed it. */
  serverFingerprint: string | undefined;
}

export const AGENT_IMAGE = "binnacle";
/** The user of the image, see deploy/Dockerfile. */
export const IMAGE_USER = 1000;
/** The memory limit of an agent. */
export const MEMORY_MEBIBYTES = 256;

/** The arguments of an agent's program. The token is not one of them, since every user of a host can read arguments. */
export function agentArguments({ serverUrl, serverFingerprint }: Pick<Installation, "serverUrl" | "serverFingerprint">): string[] {
  return [
    "--mode=agent",
    `--server=${serverUrl}`,
    ...(serverFingerprint === undefined ? [] : [`--server-fingerprint=${serverFingerprint}`]),
  ];
}

/** One word of a command for a POSIX shell. */
export function quoteShell(text: string): string {
  return /^[\w/:=.,@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A text in YAML: JSON strings are valid YAML. */
export function quoteYaml(text: string): string {
  return JSON.stringify(text);
}

/** The same in a compose file, where a dollar sign begins a variable. */
export function quoteCompose(text: string): string {
  return quoteYaml(text).replaceAll("$", "$$$$");
}

/** A list of texts in YAML, on one line. */
export function yamlList(texts: readonly string[], quote: (text: string) => string): string {
  return `[${texts.map(quote).join(", ")}]`;
}

/** One command for a POSIX shell. The token is passed in the environment of the client, so that no list of processes shows it. */
export function dockerRun(installation: Installation): string {
  const options = [
    "--name binnacle-agent",
    `--hostname "$(hostname)"`,
    "--restart unless-stopped",
    "--read-only",
    "--tmpfs /tmp",
    "--cap-drop ALL",
    "--security-opt no-new-privileges",
    `--memory ${MEMORY_MEBIBYTES}m`,
    "--pids-limit 128",
    // It does not run as root, and may read the socket as a member of the socket's group.
    `--group-add "$(stat -c %g /var/run/docker.sock)"`,
    "--env SERVICE_ENROLLMENT_TOKEN",
    "--volume binnacle-agent:/data",
    "--volume /proc:/host/proc:ro",
    "--volume /var/run/docker.sock:/var/run/docker.sock:ro",
  ];
  const lines = [
    `SERVICE_ENROLLMENT_TOKEN=${quoteShell(installation.token)} docker run --detach`,
    ...options,
    [AGENT_IMAGE, ...agentArguments(installation)].map(quoteShell).join(" "),
  ];
  return `${lines.join(" \\\n  ")}\n`;
}

/** A compose file. Its user is not root and needs the group of the socket, whose number differs between hosts. */
export function dockerCompose(installation: Installation): string {
  return `# Save as compose.yaml in a new folder, then run there:
#   echo "DOCKER_GID=$(stat -c %g /var/run/docker.sock)" > .env && docker compose up -d
# The token works once, until ${installation.expiresAt.toISOString()}. Afterwards the volume says who the agent is: keep it.
version: "3.8"

services:
  agent:
    image: ${quoteCompose(AGENT_IMAGE)}
    command: ${yamlList(agentArguments(installation), quoteCompose)}
    environment:
      SERVICE_ENROLLMENT_TOKEN: ${quoteCompose(installation.token)}
    restart: unless-stopped
    read_only: true
    tmpfs:
      - /tmp
    group_add:
      - \${DOCKER_GID:?set it to the group of the socket, see the beginning of this file}
    cap_drop:
      - ALL
    security_opt:
      - no-new-privileges:true
    mem_limit: ${MEMORY_MEBIBYTES}m
    pids_limit: 128
    volumes:
      - agent:/data
      - /proc:/host/proc:ro
      - /var/run/docker.sock:/var/run/docker.sock:ro

volumes:
  agent:
`;
}
