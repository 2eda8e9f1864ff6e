import { ServiceError } from "../platform/errors.ts";
import { CAPABILITIES, editionTitle, grants, isCapability, type Edition } from "./edition.ts";

/** Throws EDITION_REQUIRED, naming the capability and the edition that grants it, when the edition in force does not. */
export function requireCapability(edition: Edition, capability: string): void {
  if (!isCapability(capability)) throw new Error(`no capability is called ${capability}`);
  if (grants(edition, capability)) return;
  const { title, edition: required } = CAPABILITIES[capability];
  throw new ServiceError(
    "EDITION_REQUIRED",
    `${title} needs ${editionOrAbove(required)}; this instance runs the ${editionTitle(edition)} edition.`,
    {
      capability,
      required_edition: required,
    },
  );
}

/** Why server mode cannot be started, as a sentence; undefined when it can. Source: specification, Operating modes. */
export function serverModeRefusal(edition: Edition): string | undefined {
  const { title, edition: required } = CAPABILITIES["server_mode"];
  if (grants(edition, "server_mode")) return undefined;
  return (
    `--mode=server: ${title.toLowerCase()} needs ${editionOrAbove(required)}; this instance runs the ${editionTitle(edition)} edition, ` +
    "which runs in embedded mode only. Start without --mode to watch this host, or set SERVICE_LICENSE_KEY."
  );
}

function editionOrAbove(edition: Edition): string {
  return edition === "pro" ? "the Pro edition" : `the ${editionTitle(edition)} edition or above`;
}
