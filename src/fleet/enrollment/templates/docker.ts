import { AGENT_IMAGE, agentArguments, type Installation, MEMORY_MEBIBYTES, quoteCompose, quoteShell, yamlList } from "./agent-command.ts";

/** One command for a POSIX shell. The token goes by the environment of the client, so that no list of processes shows it. */
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
    // Not root: it may read the socket as a member of the socket's group.
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

/** A compose file. Its reader is not root, and must be told the group of the socket: there is no number that fits all hosts. */
export function dockerCompose(installation: Installation): string {
  return `# Save as compose.yaml in a folder of its own, then run there:
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
