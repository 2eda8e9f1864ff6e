/** The commands that a person copies to run a newer image, or the one that ran before. They only compute text. */
import { IMAGE_KINDS, OBJECT_NAME } from "../../../observations/kubernetes-workloads.ts";
import { type Command, type CommandInput, type RuntimeCommands, type Workload, type UpdateChange, quoteAll } from "./command.ts";
import { composeRefusal, composeCommands } from "./compose.ts";
import { engineCommands } from "./engine.ts";

export type { Command, CommandInput, Workload, WorkloadOf } from "./command.ts";

const TAG = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/;
const DIGEST = /^sha256:[0-9a-f]{64}$/;
/** What may stand in an image's name. */
const REPOSITORY = /^[A-Za-z0-9][A-Za-z0-9._:/[\]-]{0,254}$/;
/** What a name without a tag means. */
const DEFAULT_TAG = "latest";
const NO_ROLLBACK = "There is no command back: the image that runs is known to no registry by a digest.";

/**
 * The command to run what is available, and the one back to what runs now, by its digest. Each is null where none can be given; the note of the
 * other says when there is none back.
 */
export function commandsFor(input: CommandInput): { update: Command | null; rollback: Command | null } {
  const commands = REPOSITORY.test(input.registryName) ? runtimeCommands(input) : undefined;
  if (commands === undefined) return { update: null, rollback: null };
  const rollback = rollbackOf(input, commands);
  return { update: updateOf(input, commands, rollback !== null), rollback };
}

function runtimeCommands({ container, workload }: CommandInput): RuntimeCommands | undefined {
  const isOfPod = container.runtime === "kubernetes" || "io.kubernetes.pod.name" in container.labels;
  if (isOfPod || workload) return kubernetesCommands(workload);
  if (isOfSwarm(container)) return swarmCommands(container);
  return composeCommands(container) ?? explained(engineCommands(container), composeRefusal(container));
}

/** With a sentence more in the note of each command. */
function explained(commands: RuntimeCommands | undefined, sentence: string | undefined): RuntimeCommands | undefined {
  if (commands === undefined || sentence === undefined) return commands;
  return {
    command(image, options) {
      const command = commands.command(image, options);
      return command && { ...command, note: command.note === null ? sentence : `${sentence} ${command.note}` };
    },
  };
}

function updateOf(input: CommandInput, commands: RuntimeCommands, back: boolean): Command | null {
  const { tag, keepsName } = nextOf(input);
  if (input.updateType === null || tag === null || !TAG.test(tag)) return null;
  const digest = input.availableDigest !== null && DIGEST.test(input.availableDigest) ? input.availableDigest : null;
  const command = commands.command(`${input.registryName}:${tag}`, { keepsName, digest });
  if (command === null || back) return command;
  return { ...command, note: [command.note, NO_ROLLBACK].filter((sentence) => sentence !== null).join(" ") };
}

/** The tag to run, and whether the image has its name already. */
function nextOf({ container, currentTag, availableTag }: CommandInput): { tag: string | null; keepsName: boolean } {
  const isPinned = container.image.includes("@");
  const current = currentTag ?? (isPinned ? null : DEFAULT_TAG);
  const tag = availableTag ?? current;
  return { tag, keepsName: tag === current && !isPinned };
}

function rollbackOf(input: CommandInput, commands: RuntimeCommands): Command | null {
  const { container, registryName, currentDigest, wasRenamed = !nextOf(input).keepsName } = input;
  const undo = commands.undo?.({ wasRenamed, isPast: input.wasRenamed !== undefined });
  if (undo) return undo;
  // An image that no registry knows is known by its id, which cannot be pulled.
  if (currentDigest === null || !DIGEST.test(currentDigest) || currentDigest === container.imageId) return null;
  return commands.command(`${registryName}@${currentDigest}`, { keepsName: false });
}

/** Tasks of Docker Swarm and containers of Kubernetes, as far as their labels say what they belong to. */

const SWARM_SERVICE = "com.docker.swarm.service.name";
/** Of what an engine takes as the name of a service. */
const SERVICE_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]*$/;

const SPEC_COMES_BACK =
  "Run it on a manager, after the update and before any other change of the service: it brings back the specification before the last change.";

function isOfSwarm({ labels }: CommandInput["container"]): boolean {
  return Boolean(labels[SWARM_SERVICE]);
}

/** undefined when its label names no service: the author of the container or its image may have written anything there. */
function swarmCommands({ labels }: CommandInput["container"]): RuntimeCommands | undefined {
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
function kubernetesCommands(workload: Workload | null | undefined): RuntimeCommands | undefined {
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
