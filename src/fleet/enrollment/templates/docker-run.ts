import { AGENT_IMAGE, agentArguments, type Installation, MEMORY_MEBIBYTES, quoteShell } from "./agent-command.ts";

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
