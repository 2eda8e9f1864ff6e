/** Tasks of Docker Swarm and containers of Kubernetes, as far as their labels say what they belong to. */
import { IMAGE_KINDS, OBJECT_NAME } from "../../../observations/kubernetes.ts";
import type { Workload } from "./command.ts";
import type { CommandInput, UpdateChange, RuntimeCommands } from "./command.ts";
import { quoteAll } from "./quote.ts";

const SWARM_SERVICE = "com.docker.swarm.service.name";
/** Of what an engine takes as the name of a service. */
const SERVICE_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]*$/;

const SPEC_COMES_BACK =
  "Run it on a manager, after the update and before any other change of the service: it brings back the specification before the last change.";

export function isOfSwarm({ labels }: CommandInput["container"]): boolean {
  return Boolean(labels[SWARM_SERVICE]);
}

/** undefined when its label names no service: whoever made the container or its image may have written anything there. */
export function swarmCommands({ labels }: CommandInput["container"]): RuntimeCommands | undefined {
  const service = labels[SWARM_SERVICE];
  if (service === undefined || !SERVICE_NAME.test(service)) return undefined;
  const note = "Run it on a manager. The stack file is not changed: update the image there too, or the next deploy restores the old one.";
  const undo = { text: quoteAll(["docker", "service", "rollback", service]), note: SPEC_COMES_BACK };
  return {
    command(image, { digest }) {
      // The tag stays in the name, so that newer ones are found for it.
      const pinned = digest ? `${image}@${digest}` : image;
      return { text: quoteAll(["docker", "service", "update", "--image", pinned, "--with-registry-auth", service]), note };
    },
    // The engine remembers the specification before the last change of any kind.
    undo: ({ isPast }) => (isPast ? null : undo),
  };
}

const MANIFEST_STAYS = "The manifest or chart is not changed: update the image there too, or the next deploy restores the old one.";

/** undefined when it is not known which workload the container belongs to, no label says it; or kubectl cannot set its image. */
export function kubernetesCommands(workload: Workload | null | undefined): RuntimeCommands | undefined {
  const kind = IMAGE_KINDS.get(workload?.kind ?? "");
  if (!workload || kind === undefined) return undefined;
  const { name, namespace, containers } = workload;
  if (containers.length === 0 || ![name, namespace, ...containers].every((each) => OBJECT_NAME.test(each))) return undefined;
  const place = `${workload.kind.toLowerCase()}/${name}`;
  const undone = `It goes back to the revision before, with all that was changed since. ${MANIFEST_STAYS}`;
  const rollout = (what: "restart" | "undo"): string => quoteAll(["kubectl", "rollout", what, place, "-n", namespace]);
  const undo = { text: rollout("undo"), note: undone };
  return {
    command(image, { keepsName }) {
      if (!keepsName) {
        const images = containers.map((container) => `${container}=${image}`);
        return { text: quoteAll(["kubectl", "set", "image", place, ...images, "-n", namespace]), note: MANIFEST_STAYS };
      }
      // To set the image that is set already would do nothing.
      if (!kind.rolls) return null;
      return { text: rollout("restart"), note: "Its nodes pull the image again only with imagePullPolicy: Always." };
    },
    ...(kind.rolls && { undo: ({ wasRenamed }: UpdateChange) => (wasRenamed ? undo : null) }),
  };
}
