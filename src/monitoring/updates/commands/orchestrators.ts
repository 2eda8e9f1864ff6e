/** Tasks of Docker Swarm and containers of Kubernetes, as far as their labels say what they belong to. */
import type { CommandInput, Way, Workload } from "./command.ts";
import { quoteAll } from "./quote.ts";

const SWARM_SERVICE = "com.docker.swarm.service.name";
/** Of what an engine takes as the name of a service. */
const SERVICE_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]*$/;

export function isOfSwarm({ labels }: CommandInput["container"]): boolean {
  return Boolean(labels[SWARM_SERVICE]);
}

/** undefined when its label names no service: whoever made the container or its image may have written anything there. */
export function swarmWay({ labels }: CommandInput["container"]): Way | undefined {
  const service = labels[SWARM_SERVICE];
  if (service === undefined || !SERVICE_NAME.test(service)) return undefined;
  const note = "Run it on a manager. The stack file is not changed: update the image there too, or the next deploy restores the old one.";
  return {
    command: (image) => ({ text: quoteAll(["docker", "service", "update", "--image", image, "--with-registry-auth", service]), note }),
  };
}

/** undefined when it is not known which workload the container belongs to: no label says it. */
export function kubernetesWay(workload: Workload | null | undefined): Way | undefined {
  if (!workload) return undefined;
  const { kind, name, namespace, container } = workload;
  const place = `${kind}/${name}`;
  return {
    command: (image, { keepsName }) =>
      // To set the image that is set already would do nothing.
      keepsName && kind !== "Pod"
        ? {
            text: quoteAll(["kubectl", "rollout", "restart", place, "-n", namespace]),
            note: "Its nodes pull the image again only with imagePullPolicy: Always.",
          }
        : {
            text: quoteAll(["kubectl", "set", "image", place, `${container}=${image}`, "-n", namespace]),
            note: "The manifest or chart is not changed: update the image there too, or the next deploy restores the old one.",
          },
  };
}
