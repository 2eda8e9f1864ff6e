import type { InstallMethod } from "../../../contract/agent.ts";
import { type Installation, dockerCompose, dockerRun } from "./agent-command.ts";
import { kubernetes } from "./kubernetes.ts";

export type { Installation } from "./agent-command.ts";

export type InstallTemplates = Record<InstallMethod, string>;

/** Source: specification, Enrollment token. */
const STANDALONE = `The installer of the agent as a standalone program is not released yet.
Until it is, run the agent as a container: by docker run, by Docker Compose, or in Kubernetes.
`;

/** The commands and files to paste on the host that is to be watched. */
export function installTemplates(installation: Installation): InstallTemplates {
  return {
    standalone: STANDALONE,
    docker_run: dockerRun(installation),
    docker_compose: dockerCompose(installation),
    kubernetes: kubernetes(installation),
  };
}
