import type { ContainerSighting } from "../observations.ts";
import type { RuntimeContainer } from "../runtimes/runtime.ts";
import { parseLabels } from "./labels.ts";

/** A container as its runtime shows it, with its labels read. */
export function toSighting(container: RuntimeContainer): ContainerSighting {
  const { settings, endpoints, certificates, errors } = parseLabels(container.labels);
  return { ...container, settings, labelErrors: errors, endpoints, certificates };
}
