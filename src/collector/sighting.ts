import type { ContainerSighting, LabelError } from "../observations.ts";
import type { RuntimeContainer } from "../runtimes/runtime.ts";
import { PREFIX } from "./label-table.ts";
import { labelError, MAX_ERRORS, parseLabels } from "./labels.ts";

/** What labels may ask for, as the options say. */
export interface LabelPolicy {
  /** Methods of checks besides GET and HEAD, in lower case: SERVICE_LABEL_CHECK_METHODS. */
  checkMethods: readonly string[];
  /** `service.*` labels of an image count as those of its containers: SERVICE_IMAGE_LABELS. */
  imageLabels: boolean;
}

export const STRICT_LABELS: LabelPolicy = { checkMethods: [], imageLabels: false };

/** A container as its runtime shows it, with its labels read; without those of its image that steer something, unless they are allowed. */
export function toSighting({ imageLabels, ...container }: RuntimeContainer, policy = STRICT_LABELS): ContainerSighting {
  const ignored = imageLabels.filter((label) => !(policy.imageLabels && label.startsWith(PREFIX)));
  const labels = { ...container.labels };
  for (const label of ignored) delete labels[label];
  const { settings, endpoints, certificates, errors } = parseLabels(labels, policy.checkMethods);
  const labelErrors = [...ignored.filter((label) => label.startsWith(PREFIX)).map(ofImage), ...errors].slice(0, MAX_ERRORS);
  // What is wrong with a workload of a cluster, the alerts of the cluster say.
  const downAfterMs = settings.downAfterMs ?? (container.runtime === "kubernetes" ? 0 : null);
  return { ...container, labels, settings: { ...settings, downAfterMs }, labelErrors, endpoints, certificates };
}

function ofImage(label: string): LabelError {
  return labelError(label, "comes from the image and is ignored; write it on the container, or set SERVICE_IMAGE_LABELS=true");
}
