import { type Command, commandsFor } from "./commands/index.ts";
import { withoutTag } from "./glob.ts";
import type { Entry } from "./register.ts";

/** What a person would run to take an update, and to go back: from what is available to what runs, and from what runs to what ran before. */
export interface Instructions {
  update: Command | null;
  rollback: Command | null;
}

/** `before` is what ran before its image last changed. */
export function instructionsFor(entry: Entry, before?: { image: string; digest: string | null }): Instructions {
  const current = commandsOf(entry);
  if (entry.standing.available !== null || before === undefined || before.digest === null) return current;
  return { update: null, rollback: commandsOf(entry, { image: before.image, digest: before.digest }).rollback };
}

function commandsOf(
  { container, known, standing }: Entry,
  back: { image: string; digest: string | null } = { image: container.image, digest: container.imageDigest },
): Instructions {
  const { imageDigest } = container;
  // Some engines know an image by the digest that its registry knows it by: there it is no mere id.
  const isRegistrys =
    imageDigest !== null && known !== undefined && (known.remote?.digest === imageDigest || known.contents[imageDigest] != null);
  return commandsFor({
    container: isRegistrys ? { ...container, imageId: null } : container,
    registryName: withoutTag(back.image),
    currentTag: known?.reference?.tag ?? null,
    currentDigest: back.digest,
    availableTag: standing.available?.tag ?? null,
    availableDigest: standing.available?.digest ?? null,
    updateType: standing.type,
  });
}
