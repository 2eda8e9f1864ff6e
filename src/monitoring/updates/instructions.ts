import { type Command, commandsFor } from "./commands/index.ts";
import { withoutTag } from "./glob.ts";
import { isImageId } from "./known-image.ts";
import type { Entry } from "./register.ts";

/** What a person would run to take an update, and to go back: from what is available to what runs, and from what runs to what ran before. */
export interface Instructions {
  update: Command | null;
  rollback: Command | null;
}

/** `before` is what ran before its image last changed. */
export function instructionsFor(entry: Entry, before?: { image: string; digest: string | null }): Instructions {
  if (entry.standing.available !== null) return commandsOf(entry);
  // To what runs now there is no way back while nothing else is to be taken.
  return { update: null, rollback: before === undefined ? null : commandsOf(entry, before).rollback };
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
    // An id is no name that anything could be pulled by.
    registryName: isImageId(back.image, container.imageId) ? "" : withoutTag(back.image),
    currentTag: known?.reference?.tag ?? null,
    currentDigest: back.digest,
    availableTag: standing.available?.tag ?? null,
    availableDigest: standing.available?.digest ?? null,
    updateType: standing.type,
  });
}
