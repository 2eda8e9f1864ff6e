/** The commands that a person copies to run a newer image, or the one that ran before. They only compute text. */
import type { Command, CommandInput, RuntimeCommands } from "./command.ts";
import { composeRefusal, composeCommands } from "./compose.ts";
import { engineCommands } from "./engine.ts";
import { isOfSwarm, kubernetesCommands, swarmCommands } from "./orchestrators.ts";

export type { Command, CommandInput, Workload, WorkloadOf } from "./command.ts";

const TAG = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/;
const DIGEST = /^sha256:[0-9a-f]{64}$/;
/** What may stand in an image's name. */
const REPOSITORY = /^[A-Za-z0-9][A-Za-z0-9._:/[\]-]{0,254}$/;
/** What a name without a tag means. */
const DEFAULT_TAG = "latest";
const NO_ROLLBACK = "There is no command back: the image that runs is known to no registry by a digest.";

/**
 * The command to run what is available, and the one back to what runs now, by its digest. Each is null where none can be given; that there is none
 * back is said in the note of the other.
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
