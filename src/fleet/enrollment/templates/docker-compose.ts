import { AGENT_IMAGE, agentArguments, type Installation, MEMORY_MEBIBYTES, quoteCompose, yamlList } from "./agent-command.ts";

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
